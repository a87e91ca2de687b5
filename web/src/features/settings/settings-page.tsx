import { useMutation, useQuery } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import type { ReactNode } from "react";
import { SIGNED_OUT } from "@/api/client";
import { sessionQuery, signOut } from "@/api/session";
import { setupQuery } from "@/api/setup";
import { Badge } from "@/components/badge";
import { Button } from "@/components/button";
import { FieldList } from "@/components/field-list";
import { ModelForm } from "@/components/model-form/model-form";
import { PageHeader } from "@/components/page-header";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";
import { Appearance } from "./appearance";
import { Grants } from "./grants";

export function SettingsPage() {
  return (
    <main id="main" className="min-h-0 flex-1 overflow-y-auto">
      <PageHeader title={t("nav.settings")} />
      <div className="mx-auto grid max-w-[760px] grid-cols-[minmax(0,1fr)] gap-8 px-4 py-6">
        <Section title={t("settings.appearance")}>
          <Appearance />
        </Section>
        <Section title={t("settings.model")}>
          <ModelSettings />
        </Section>
        <Section title={t("settings.grants")}>
          <Grants />
        </Section>
        <Section title={t("settings.session")}>
          <SessionSettings />
        </Section>
      </div>
    </main>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <h2 className="font-semibold">{title}</h2>
      <div className="grid gap-4 rounded-xl border border-line p-4">{children}</div>
    </section>
  );
}

function ModelSettings() {
  const { data: setup } = useQuery(setupQuery);
  const { data: session } = useQuery(sessionQuery);
  if (!setup) return null;
  const { languageModel: model } = setup;
  return (
    <>
      {model.configured ? (
        <div className="grid gap-2">
          <FieldList
            fields={[
              { label: t("model.address"), value: model.baseUrl ?? "" },
              { label: t("model.model"), value: model.model ?? "" },
              { label: t("model.setIn"), value: model.origin ? t(`origin.${model.origin}`) : "" },
            ]}
          />
          {model.reachable === null ? null : (
            <p>
              <Badge tone={model.reachable ? "good" : "danger"}>
                {model.reachable ? t("model.reachable") : t("model.unreachable")}
              </Badge>
            </p>
          )}
        </div>
      ) : (
        <p className="text-ink-2">{t("model.none")}</p>
      )}
      {session?.mayEdit ? <ModelForm current={model} /> : <p className="text-ink-3">{t("model.mayNot")}</p>}
    </>
  );
}

function SessionSettings() {
  const { data: session } = useQuery(sessionQuery);
  const { data: setup } = useQuery(setupQuery);
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => window.dispatchEvent(new Event(SIGNED_OUT)),
  });
  if (!session) return null;
  return (
    <>
      <FieldList
        fields={[
          { label: t("settings.signedInAs"), value: `${session.user.name} · ${session.user.email}` },
          { label: t("settings.roles"), value: session.user.roles.join(", ") },
          { label: t("settings.org"), value: session.org.name },
          ...(setup ? [{ label: t("settings.data"), value: setup.dataPath }] : []),
        ]}
      />
      {leave.isError ? (
        <p role="alert" className="text-danger">
          {errorText(leave.error)}
        </p>
      ) : null}
      <div>
        <Button disabled={leave.isPending} onClick={() => leave.mutate()}>
          <LogOut aria-hidden className="rtl:rotate-180" />
          {t("settings.signOut")}
        </Button>
      </div>
    </>
  );
}
