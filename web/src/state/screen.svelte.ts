// What is open on this screen besides the document: a sheet, a question, and what was copied.

export type DialogName = "start" | "open" | "save" | "export" | "help" | "drawing" | "field";

/** To save first, where that is offered; null: closed without an answer. */
export type Answer = boolean | "save" | null;

export interface Question {
  title: string;
  text: string;
  yes: string;
  no: string;
  /** Which answer loses nothing: it has the focus. */
  safe: "yes" | "no" | "save";
  resolve: (answer: Answer) => void;
}

class Screen {
  dialog = $state<DialogName | null>(null);
  question = $state.raw<Question | null>(null);
  /** What is shown below the keys. */
  lowerPanel = $state<"speed" | "meetings">("speed");
  clipboard = $state.raw<Record<string, unknown>[]>([]);
  /** What goes on once the scene has been saved under a name. */
  afterSave: (() => void) | null = null;
  /** Whether the first scene was seen. */
  isStarted = $state(false);
  /** From this revision on another document is shown, of which nothing is selected yet. */
  openedRevision = $state<number | null>(null);

  /** Ask before something is lost. */
  async ask(
    title: string,
    text: string,
    yes: string,
    no = "Cancel",
    safe: "yes" | "no" = "no",
  ): Promise<boolean | null> {
    const answer = await this.prompt({ title, text, yes, no, safe });
    return answer === "save" ? null : answer;
  }

  /** Ask before a scene is left; saving it is a way to go on. */
  askToLeave(title: string, text: string, yes: string, no: string): Promise<Answer> {
    return this.prompt({ title, text, yes, no, safe: "save" });
  }

  private prompt(question: Omit<Question, "resolve">): Promise<Answer> {
    return new Promise((resolve) => {
      this.question = {
        ...question,
        resolve: (answer) => {
          this.question = null;
          resolve(answer);
        },
      };
    });
  }

  get hasDialog(): boolean {
    return this.dialog !== null || this.question !== null;
  }
}

export const screen = new Screen();
