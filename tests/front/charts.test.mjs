import assert from "node:assert/strict";
import { test } from "node:test";
import { csv, read } from "../../static/src/charts/table.js";
import { open } from "./page.mjs";

const TABLE = `
  <table>
    <thead><tr><th data-column="label" data-kind="text">Agent</th><th data-column="value" data-kind="share">Pass rate</th></tr></thead>
    <tbody>
      <tr><td>=cmd, "quoted"</td><td data-value="0.123456789">12.3 %</td></tr>
      <tr><td>-1</td><td data-value="">–</td></tr>
    </tbody>
  </table>`;

const data = () => read(open(TABLE).querySelector("table"));

test("numbers are read as they are, not as they are shown", () => {
  assert.deepEqual(data().rows, [
    { label: '=cmd, "quoted"', value: 0.123456789 },
    { label: "-1", value: null },
  ]);
});

test("CSV keeps every digit, quotes what needs it, and no cell is a formula", () => {
  assert.equal(csv(data()), 'Agent,Pass rate\r\n"\'=cmd, ""quoted""",0.123456789\r\n-1,\r\n');
});

test("wide signs, and signs behind what has no width, make no formula either", () => {
  const columns = [{ key: "a", kind: "text", title: "Agent" }];
  for (const text of ["\uff1dcmd", "\u200b=cmd", "\u2212cmd", "\ufe63cmd"])
    assert.equal(csv({ columns, rows: [{ a: text }] }), `Agent\r\n'${text}\r\n`);
  for (const text of ["\u2013 none", "a=b", "-1.5", "+3"])
    assert.equal(csv({ columns, rows: [{ a: text }] }), `Agent\r\n${text}\r\n`);
});
