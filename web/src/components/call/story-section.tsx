import type { ReactNode } from "react";

export function StorySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="font-medium text-small">{title}</h3>
      {children}
    </section>
  );
}
