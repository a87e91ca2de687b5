import type { Call } from "@/api/types";

/** Whether a call left records that can be saved as a file. */
export const isExport = ({ tool, status, output }: Pick<Call, "tool" | "status" | "output">): boolean =>
  tool === "export_records" && status === "succeeded" && output !== null;
