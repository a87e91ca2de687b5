import assert from "node:assert/strict";
import test from "node:test";
import { api, assertAccessible } from "./harness/browser.mjs";
import { eventually } from "./harness/eventually.mjs";
import { tabTo } from "./harness/keyboard.mjs";
import { settled } from "./harness/settled.mjs";
import { suite } from "./harness/suite.mjs";

const held = suite({ withModel: false });
const ofTheShop = ["customer", "invoice", "order", "order_line", "product"];
const documentAt = "/api/workspace/documents/models/book.yaml";

const review = (page) => page.getByRole("button", { name: "Review", exact: true });
const save = (page) => page.getByRole("button", { name: "Save", exact: true });
const happens = (page) => page.getByRole("region", { name: "What happens" });
const drawer = (page, title) => page.getByRole("dialog", { name: title });
const newest = (page) => page.getByRole("group", { name: /^Field / }).last();
/** The names of the models in the list; none while a dialog is over it. */
const listed = async (page) => {
  const table = page.getByRole("table", { name: "Data models" });
  return (await table.locator("td:first-child .font-mono").allTextContents()).sort();
};
const definition = async (page) => (await api(page, documentAt)).definition;

async function addField(page, name, type) {
  await page.getByRole("button", { name: "Add field" }).click();
  const field = newest(page);
  await field.getByLabel("Name", { exact: true }).fill(name);
  await field.getByLabel("Type", { exact: true }).selectOption(type);
  return field;
}

async function edit(page, base) {
  await page.goto(`${base}/data/book`);
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("form", { name: "Edit “Book”" }).waitFor();
}

/** Saves what is edited, and waits until the model is shown as it is now. */
async function reviewAndSave(page, step) {
  assert.ok(await save(page).isDisabled(), "nothing is saved unseen");
  await review(page).click();
  await happens(page).getByText(step).waitFor();
  await save(page).click();
  await drawer(page, "Book").waitFor();
}

test("a data model is made in a form, reviewed, saved and ready at once", async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/data`);
  await page.getByRole("link", { name: "New data model" }).first().click();
  await page.getByLabel("Name", { exact: true }).fill("book");
  await page.getByLabel("Help", { exact: true }).fill("What can be read.");

  const title = await addField(page, "title", "string");
  await title.getByLabel("Required").check();
  await title.getByLabel("Maximum length").fill("120");
  const genre = await addField(page, "genre", "selection");
  for (const [value, name] of [
    ["novel", ""],
    ["sf", "Science fiction"],
  ]) {
    await genre.getByRole("button", { name: "Add option" }).click();
    await genre
      .getByLabel(/^Value of option/)
      .last()
      .fill(value);
    await genre
      .getByLabel(/^Title of option/)
      .last()
      .fill(name);
  }
  await genre.getByLabel("Default").selectOption("novel");
  const reader = await addField(page, "reader", "many_to_one");
  await reader.getByLabel("Leads to").selectOption("customer");
  await page.getByLabel("Named by").selectOption("title");

  await reviewAndSave(page, /create model/);
  await eventually(() => new URL(page.url()).pathname, "/data/book");
  assert.deepEqual(await definition(page), {
    name: "book",
    help: "What can be read.",
    display: "title",
    fields: {
      title: { type: "string", required: true, length: 120 },
      genre: {
        type: "selection",
        default: "novel",
        options: ["novel", { value: "sf", title: "Science fiction" }],
      },
      reader: { type: "many_to_one", model: "customer" },
    },
  });
  const { call } = await api(page, "/api/tools/search_records/call", {
    method: "POST",
    body: { arguments: { model: "book" } },
  });
  assert.equal(call.status, "succeeded");

  await page.keyboard.press("Escape");
  await page
    .getByRole("row", { name: /Book book/ })
    .getByText("Web app")
    .waitFor();
  await page.getByLabel("Search name, title, table").fill("boo");
  await eventually(() => listed(page), ["book"]);
});

test("a field is added, and then the fields are put in another order", async () => {
  const { page, app } = held;
  await edit(page, app.base);
  await addField(page, "isbn", "string");
  await reviewAndSave(page, /add field/);
  await edit(page, app.base);
  await page.getByRole("button", { name: "Move isbn up" }).click();
  await page.getByRole("button", { name: "Move title down" }).click();
  await reviewAndSave(page, "No table changes.");
  assert.deepEqual(Object.keys((await definition(page)).fields), ["genre", "title", "isbn", "reader"]);
});

test("data is lost only with the word of the user", async () => {
  const { page, app } = held;
  await edit(page, app.base);
  await page.getByRole("button", { name: "Remove isbn" }).click();
  await review(page).click();
  await happens(page)
    .getByText(/drop field/)
    .waitFor();
  await happens(page).getByRole("heading", { name: "This data is lost" }).waitFor();
  assert.ok(await save(page).isDisabled(), "the loss is not accepted yet");
  await page.getByLabel("I accept that this data is lost").check();
  await save(page).click();
  await drawer(page, "Book").waitFor();
  assert.equal((await definition(page)).fields.isbn, undefined);
});

test("what is typed after the review has to be reviewed again", async () => {
  const { page, app } = held;
  await edit(page, app.base);
  await page.getByLabel("Title", { exact: true }).first().fill("Books and more");
  await review(page).click();
  await happens(page).waitFor();
  await page.getByLabel("Help", { exact: true }).first().fill("Else.");
  await happens(page).waitFor({ state: "detached" });
  assert.ok(await save(page).isDisabled());
  await page.getByRole("link", { name: "Tools", exact: true }).click();
  const asks = page.getByRole("dialog", { name: "Leave without saving?" });
  await asks.getByRole("button", { name: "Stay" }).click();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await asks.getByRole("button", { name: "Leave" }).click();
  await drawer(page, "Book").waitFor();
});

test("problems are said at their line, and at their field", async () => {
  const { page, app } = held;
  await edit(page, app.base);
  await page.getByRole("button", { name: "YAML", exact: true }).click();
  const text = page.getByRole("textbox", { name: "YAML" });
  const sound = await eventually(() => text.inputValue(), / {2}title: \{ type: string/);
  const line = sound.split("\n").findIndex((each) => each.includes("  title:")) + 1;
  await text.fill(sound.replace("title: { type: string", "title: { type: strng"));
  await review(page).click();
  await page.getByRole("alert").getByText(/strng/).waitFor();
  await page
    .getByRole("alert")
    .getByRole("button", { name: `${line}:`, exact: false })
    .first()
    .click();
  await eventually(() => text.evaluate((field) => document.activeElement === field), true);

  await text.fill(sound.replace("title: { type: string", "title: { type: string, index: true"));
  await page.getByRole("button", { name: "Form", exact: true }).click();
  await page.getByRole("button", { name: /^title/ }).click();
  const index = page.getByRole("group", { name: "Field title" }).getByLabel("Index");
  await eventually(() => index.isChecked(), true, "the form shows what the text says");

  await page.getByRole("button", { name: /^reader/ }).click();
  await page
    .getByRole("group", { name: "Field reader" })
    .getByLabel("Type", { exact: true })
    .selectOption("one_to_many");
  await review(page).click();
  await page.getByRole("alert").getByRole("button", { name: "reader" }).first().click();
  await page.getByRole("group", { name: "Field reader" }).waitFor();
});

test("names are checked before anything is sent", async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/data/new-model`);
  await page.getByLabel("Name", { exact: true }).fill("Book");
  await addField(page, "id", "string");
  await review(page).click();
  await page
    .getByRole("alert")
    .getByText(/kept by the platform/)
    .waitFor();
  await page
    .getByRole("alert")
    .getByText(/^Name:/)
    .waitFor();
  await eventually(() => page.locator('[aria-invalid="true"]').count(), 2);
  await page.getByLabel("Name", { exact: true }).first().fill("book");
  await newest(page).getByLabel("Name", { exact: true }).fill("pages");
  await review(page).click();
  await page.getByRole("alert").waitFor();
  assert.ok(await save(page).isDisabled(), "there is a book already");
});

test("what somebody else changed is not overwritten", async () => {
  const { page, app } = held;
  await edit(page, app.base);
  await page.getByLabel("Title", { exact: true }).first().fill("Mine");
  await review(page).click();
  await happens(page).waitFor();
  const { version, text } = await api(page, documentAt);
  await page.evaluate(
    async ([path, etag, body]) => {
      const headers = { "content-type": "application/json", "if-match": etag };
      const response = await fetch(path, { method: "PUT", headers, body });
      if (!response.ok) throw new Error(await response.text());
    },
    [documentAt, `"${version}"`, JSON.stringify({ text: `${text}title: Theirs\n` })],
  );
  await save(page).click();
  await page.getByRole("alert").getByRole("button", { name: "Reload" }).click();
  await page.getByRole("alert").waitFor({ state: "detached" });
  await eventually(() => page.getByLabel("Title", { exact: true }).first().inputValue(), "Theirs");
  await page.getByLabel("Title", { exact: true }).first().fill("");
  await reviewAndSave(page, "No table changes.");
});

test("a model of a file is changed in its file", async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/data/order`);
  const order = drawer(page, "Order");
  await order.getByText(/models\/order\.yaml in the workspace folder/).waitFor();
  await order.getByRole("tab", { name: "Fields" }).waitFor();
  await order.getByText("many_to_one → customer").waitFor();
  await settled(page);
  assert.equal(await order.getByRole("link", { name: "Edit" }).count(), 0);
  assert.equal(await order.getByRole("button", { name: "Delete" }).count(), 0);
  await order.getByRole("tab", { name: "YAML" }).click();
  await order.getByText("number", { exact: false }).first().waitFor();
  await page.goto(`${app.base}/data/order/edit`);
  await page.getByText(/models\/order\.yaml in the workspace folder/).waitFor();
  await settled(page);
  assert.equal(await page.getByRole("form").count(), 0);
});

test("connections are listed with how to add more", async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/data`);
  await page.getByText("Connections", { exact: true }).click();
  await page.getByRole("table", { name: "Connections" }).getByRole("cell", { name: "main" }).waitFor();
  await page.getByText(/toolcrib models sync/).waitFor();
});

test("a model is made and deleted by keyboard alone", async () => {
  const { page, app } = held;
  await page.goto(`${app.base}/tools`);
  await page.getByRole("heading", { name: "Tools" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await tabTo(page, page.getByRole("link", { name: "New data model" }).first());
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByLabel("Name", { exact: true }));
  await page.keyboard.type("shelf");
  await tabTo(page, page.getByRole("button", { name: "Add field" }));
  await page.keyboard.press("Enter");
  await tabTo(page, newest(page).getByLabel("Name", { exact: true }));
  await page.keyboard.type("place");
  await tabTo(page, review(page));
  await page.keyboard.press("Enter");
  await happens(page).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "SECTION");
  await tabTo(page, save(page));
  await page.keyboard.press("Enter");

  const shelf = drawer(page, "Shelf");
  await tabTo(page, shelf.getByRole("button", { name: "Delete" }));
  await page.keyboard.press("Enter");
  const asks = page.getByRole("dialog", { name: "Delete “Shelf”?" });
  await tabTo(page, asks.getByLabel("I accept that this data is lost"));
  await page.keyboard.press("Space");
  await tabTo(page, asks.getByRole("button", { name: "Delete" }));
  await page.keyboard.press("Enter");
  await page.waitForURL("**/data");
  await eventually(() => listed(page), ["book", ...ofTheShop]);
});

const looks = {
  light: { theme: "light", width: 1360, height: 860 },
  dark: { theme: "dark", width: 1360, height: 860 },
  mobile: { theme: "light", width: 390, height: 844 },
  "right to left": { theme: "light", width: 1360, height: 860, dir: "rtl" },
};

for (const [name, look] of Object.entries(looks)) {
  test(`the pages of data are accessible, ${name}`, async () => {
    const { page, app } = held;
    await page.setViewportSize({ width: look.width, height: look.height });
    await page.goto(`${app.base}/settings`);
    await page.evaluate(
      (theme) => localStorage.setItem("toolcrib.preferences", JSON.stringify({ theme })),
      look.theme,
    );
    const check = async (what) => {
      await settled(page);
      if (look.dir) await page.evaluate((dir) => document.documentElement.setAttribute("dir", dir), look.dir);
      await assertAccessible(page, `${what}, ${name}`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= look.width, `${what} is ${width} px wide`);
    };
    for (const path of ["/data", "/data/book", "/data/book?tab=yaml", "/data/new-model"]) {
      await page.goto(app.base + path);
      await page.getByRole("heading").first().waitFor();
      await check(path);
    }
    await edit(page, app.base);
    for (const field of ["title", "genre", "reader"])
      await page.getByRole("button", { name: new RegExp(`^${field}`) }).click();
    await page.getByRole("button", { name: "Remove reader" }).click();
    await review(page).click();
    await happens(page).waitFor();
    await check("the editor");
    await page.getByRole("button", { name: "YAML", exact: true }).click();
    await page.getByRole("textbox", { name: "YAML" }).fill("name: book\nfields: { a: { type: strng } }\n");
    await review(page).click();
    await page.getByRole("alert").waitFor();
    await check("the YAML editor");
  });
}

test("a model is deleted with its records, after the loss is accepted", async () => {
  const { page, app } = held;
  await page.setViewportSize({ width: 1360, height: 860 });
  await page.goto(`${app.base}/data/book`);
  await drawer(page, "Book").getByRole("button", { name: "Delete" }).click();
  const asks = page.getByRole("dialog", { name: "Delete “Book”?" });
  await asks.getByText(/can't be undone/).waitFor();
  await asks.getByText(/drop model/).waitFor();
  await assertAccessible(page, "the question before a model is deleted");
  assert.ok(await asks.getByRole("button", { name: "Delete" }).isDisabled());
  await asks.getByLabel("I accept that this data is lost").check();
  await asks.getByRole("button", { name: "Delete" }).click();
  await page.waitForURL("**/data");
  await eventually(() => listed(page), ofTheShop);
  const { models } = await api(page, "/api/models");
  assert.ok(!models.some((model) => model.name === "book"));
});
