import { memo } from "react";
import type { Approval } from "@/api/types";
import { ApprovalCard } from "@/components/approval/approval-card";
import { Markdown } from "@/components/markdown/markdown";
import { ResultView } from "@/components/result/result-view";
import { WidgetView } from "@/components/widgets/widget-view";
import { type Block, blocksOf } from "../blocks";
import type { Message, Thread } from "../stream/thread";
import { CallGroup } from "./call-group";
import { Notice } from "./notice";
import { Reasoning } from "./reasoning";

type Props = { message: Message; approvals: Thread["approvals"]; onDecided: (approval: Approval) => void };

export const Answer = memo(function Answer({ message, approvals, onDecided }: Props) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3" data-role="assistant">
      {blocksOf(message, approvals).map((block) => (
        <BlockView key={block.key} block={block} onDecided={onDecided} />
      ))}
    </div>
  );
});

function BlockView({ block, onDecided }: { block: Block; onDecided: Props["onDecided"] }) {
  switch (block.kind) {
    case "prose":
      return block.part.type === "reasoning" ? (
        <Reasoning part={block.part} />
      ) : (
        <div className="text-chat">
          <Markdown text={block.part.text} streaming={block.part.streaming} />
        </div>
      );
    case "calls":
      return <CallGroup calls={block.calls} />;
    case "approval":
      return <ApprovalCard approval={block.approval} onDecided={onDecided} />;
    case "shown":
      return <ResultView value={block.call.output} />;
    case "widget":
      return <WidgetView output={block.output} />;
    case "notice":
      return <Notice part={block.part} />;
  }
}
