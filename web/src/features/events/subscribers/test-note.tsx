import type { TestedSubscriber } from "@/api/types";
import { cx } from "@/lib/cx";
import { errorText } from "@/lib/error-text";
import { t } from "@/lib/t";

type Props = { tested: TestedSubscriber | undefined; error: unknown; isPending: boolean };

/** What came of a test. */
export function TestNote({ tested, error, isPending }: Props) {
  const isOk = tested?.ok === true;
  const text = !isPending && tested ? testText(tested) : "";
  return (
    <>
      <p role="status" className={cx("break-words empty:hidden", isOk ? "text-good" : "text-danger")}>
        {text}
      </p>
      {error ? (
        <p role="alert" className="text-danger">
          {errorText(error)}
        </p>
      ) : null}
    </>
  );
}

function testText({ ok, status, error }: TestedSubscriber): string {
  if (ok)
    return status === null
      ? t("events.testArrived")
      : t("events.testArrivedWith", { status: String(status) });
  return error ? t("events.testFailedWith", { error }) : t("events.testFailed");
}
