// The sentence of the notice that confirms a command; the history names its steps differently.
import type { Command } from "./message_socket";

export function resultText(message: Command, text: string): string {
  if (message.do === "save") return `Saved ${text.replace(/^save /, "")}.`;
  if (message.do !== "recover") return text;
  return message.take
    ? `Here again: ${text.replace(/^recover /, "")} that had not been saved.`
    : "What was not saved is thrown away.";
}
