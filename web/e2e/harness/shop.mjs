// The sample shop as the tests talk about it: what is asked, and what the scripted model answers.
import { api } from "./browser.mjs";

export const NUMBER = "SO-10482";
export const ask = {
  orders: "Which orders are not shipped yet?",
  ship: `Mark order ${NUMBER} as shipped`,
  hostile: "Show me the hostile text",
  long: "Write the long report",
};

export const hostileText = [
  '![pixel](http://127.0.0.1:9/pixel.png) <img src="http://127.0.0.1:9/x.png" onerror="window.__owned=1">',
  "<script>window.__owned=1</script> [click](javascript:window.__owned=1) [fine](https://example.org/)",
  '<iframe src="http://127.0.0.1:9/"></iframe>',
  "![ref][r]",
  "[r]: http://127.0.0.1:9/ref.png",
].join("\n\n");

const longText = Array.from({ length: 40 }, (_, index) => `Paragraph ${index} of the **report**.`).join(
  "\n\n",
);

/** The id of the order: record tools take ids, people say numbers. */
export async function orderId(page) {
  const { call } = await api(page, "/api/tools/search_records/call", {
    method: "POST",
    body: {
      arguments: { model: "order", criteria: { field: "number", operator: "=", value: NUMBER }, limit: 1 },
    },
  });
  const id = findRecord(call.output)?.id;
  if (id === undefined) throw new Error(`No order ${NUMBER} in ${JSON.stringify(call)}`);
  return id;
}

function findRecord(value) {
  if (typeof value !== "object" || value === null) return undefined;
  if (value.number === NUMBER && value.id !== undefined) return value;
  for (const each of Object.values(value)) {
    const found = findRecord(each);
    if (found) return found;
  }
  return undefined;
}

const rule = (lastUserContains, afterTool, reply) => ({ when: { lastUserContains, afterTool }, reply });

export function rules(id) {
  const update = { name: "update_record", arguments: { model: "order", id, values: { status: "shipped" } } };
  const search = {
    name: "search_records",
    arguments: { model: "order", criteria: { field: "status", operator: "=", value: "confirmed" }, limit: 5 },
  };
  return [
    rule(ask.orders, null, { toolCalls: [search] }),
    rule(ask.orders, "search_records", { text: "Some orders are **not shipped yet**. Shall I mark one?" }),
    rule(ask.ship, null, { text: "I will update the order.", toolCalls: [update] }),
    rule(ask.ship, "update_record", { text: "Done with the order." }),
    rule(ask.hostile, null, { text: hostileText }),
    rule(ask.long, null, { text: longText, chunkDelayMs: 40 }),
  ];
}

export async function say(page, text) {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

/** The cards that wait, as the page shows them. */
export const pendingCards = (page) => page.locator('[data-approval][data-status="pending"]');

/** The id of the conversation that the page shows, once its address says so. */
export async function conversationOf(page) {
  await page.waitForURL("**/chat/*");
  return new URL(page.url()).pathname.split("/").at(-1);
}

/** Asks for the change and waits for its card; gives back the id of the conversation. */
export async function askToShip(page, base) {
  await page.goto(`${base}/`);
  await say(page, ask.ship);
  await pendingCards(page).waitFor();
  return conversationOf(page);
}

/** How often the change was really made, as the server has it on record. */
export async function timesRun(page, conversationId) {
  const { items } = await api(page, `/api/calls?conversationId=${conversationId}&tool=update_record`);
  return items.filter((call) => call.status === "succeeded").length;
}
