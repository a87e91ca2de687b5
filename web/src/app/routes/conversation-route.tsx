import { useParams } from "@tanstack/react-router";
import { ConversationPage } from "@/features/chat/conversation-page";

export function ConversationRoute() {
  const { conversationId } = useParams({ from: "/signed-in/chat/chat/$conversationId" });
  return <ConversationPage key={conversationId} conversationId={conversationId} />;
}
