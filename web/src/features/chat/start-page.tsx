import { useQuery } from "@tanstack/react-query";
import { setupQuery } from "@/api/setup";
import { Failed, Loading } from "@/components/page-state";
import { errorText } from "@/lib/error-text";
import { NewChat } from "./new-chat";
import { Welcome } from "./welcome/welcome";

/** A new chat; or, while there is no language model, what can be done without one. */
export function StartPage({ agent }: { agent: string | undefined }) {
  const { data: setup, error, refetch } = useQuery(setupQuery);
  if (error) return <Failed text={errorText(error)} onRetry={() => void refetch()} />;
  if (!setup) return <Loading />;
  return setup.languageModel.configured ? <NewChat wanted={agent} /> : <Welcome setup={setup} />;
}
