import { Segmented } from "@/components/segmented";
import { setPreferences, usePreferences } from "@/lib/preferences";
import { t } from "@/lib/t";

export function Appearance() {
  const { theme, density } = usePreferences();
  return (
    <>
      <Segmented
        label={t("settings.theme")}
        value={theme}
        options={[
          { value: "light", label: t("theme.light") },
          { value: "dark", label: t("theme.dark") },
          { value: "system", label: t("theme.system") },
        ]}
        onChange={(next) => setPreferences({ theme: next })}
      />
      <Segmented
        label={t("settings.density")}
        value={density}
        options={[
          { value: "comfortable", label: t("density.comfortable") },
          { value: "compact", label: t("density.compact") },
        ]}
        onChange={(next) => setPreferences({ density: next })}
      />
    </>
  );
}
