// Every widget on one page, to look at: `npx vite` and /gallery/, or `npm run gallery` for pictures.
// No part of the app: the build starts at the other index.html.
import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "../src/styles.css";
import { createRoot } from "react-dom/client";
import { WidgetView } from "../src/components/widgets/widget-view";
import { fixtures, odd } from "../src/widgets/fixtures";

const asked = new URLSearchParams(window.location.search);
if (asked.get("dir") === "rtl") document.documentElement.dir = "rtl";
if (asked.get("theme")) document.documentElement.dataset.theme = asked.get("theme") ?? "light";

const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <main className="mx-auto grid max-w-[760px] grid-cols-[minmax(0,1fr)] gap-6 p-4">
      <h1 className="font-semibold text-title">Widgets</h1>
      <div id="announcements" role="status" className="sr-only" />
      {Object.entries({ ...fixtures, ...odd }).map(([name, output]) => (
        <div key={name} data-shot={name}>
          <WidgetView output={output} />
        </div>
      ))}
    </main>,
  );
