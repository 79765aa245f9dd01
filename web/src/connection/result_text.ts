// How is it told what was done? As a sentence in a notice; a step of the history is called otherwise.
import type { Command } from "./connection";

export function resultText(message: Command, text: string): string {
  if (message.do === "save") return `Saved ${text.replace(/^save /, "")}.`;
  if (message.do !== "recover") return text;
  return message.take
    ? `Here again: ${text.replace(/^recover /, "")} that had not been saved.`
    : "What was not saved is thrown away.";
}
