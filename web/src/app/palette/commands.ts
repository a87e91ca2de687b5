import type { Wrench } from "lucide-react";

export type Command = {
  id: string;
  title: string;
  also?: string;
  kind: string;
  icon: typeof Wrench;
  run: () => void;
};

const SHOWN = 60;

export function matchingCommands(commands: Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (command: Command) => `${command.title} ${command.also ?? ""} ${command.kind}`.toLowerCase();
  return commands.filter((command) => words.every((word) => text(command).includes(word))).slice(0, SHOWN);
}
