import type { AgentTool, Tool } from "@/api/types";
import { Button } from "@/components/button";
import { iconOf, toolIcon } from "@/components/tool/icons";

const SHOWN = 3;

type Props = { buttons: AgentTool[]; tools: Tool[]; onPick: (tool: Tool | undefined) => void };

/** The tools that the composer offers by a button, as their settings call and draw them. */
export function ToolButtons({ buttons, tools, onPick }: Props) {
  return buttons.slice(0, SHOWN).map((each) => {
    const tool = tools.find((known) => known.name === each.name);
    const Icon = tool ? iconOf(tool) : toolIcon({ kind: "" });
    return (
      <Button
        key={each.name}
        variant="ghost"
        size="sm"
        className="text-base max-sm:hidden"
        onClick={() => onPick(tool)}
      >
        <Icon aria-hidden />
        {tool?.settings.buttonLabel ?? each.title}
      </Button>
    );
  });
}
