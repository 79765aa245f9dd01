// What is open on this screen besides the document: a sheet, a question, and what was copied.

export type Sheet = "start" | "open" | "save" | "export" | "help" | "drawing";

export interface Question {
  title: string;
  text: string;
  yes: string;
  no: string;
  /** Which answer loses nothing: it has the focus. */
  safe: "yes" | "no";
  /** null: closed without an answer. */
  answered: (yes: boolean | null) => void;
}

class Screen {
  sheet = $state<Sheet | null>(null);
  question = $state.raw<Question | null>(null);
  copied = $state.raw<Record<string, unknown>[]>([]);
  /** Whether the first scene was seen. */
  isStarted = $state(false);
  /** From this revision on another document is shown, of which nothing is selected yet. */
  arrival = $state<number | null>(null);

  /** Ask before something is lost. */
  ask(title: string, text: string, yes: string, no = "Cancel", safe: Question["safe"] = "no"): Promise<boolean | null> {
    return new Promise((answered) => {
      this.question = {
        title,
        text,
        yes,
        no,
        safe,
        answered: (answer) => {
          this.question = null;
          answered(answer);
        },
      };
    });
  }

  get isCovered(): boolean {
    return this.sheet !== null || this.question !== null;
  }
}

export const screen = new Screen();
