// What is open on this screen besides the document: a sheet, a question, and what was copied.

export type Sheet = "start" | "open" | "save" | "export" | "help" | "drawing" | "field";

/** To save first, where that is offered; null: closed without an answer. */
export type Answer = boolean | "save" | null;

export interface Question {
  title: string;
  text: string;
  yes: string;
  no: string;
  /** Which answer loses nothing: it has the focus. */
  safe: "yes" | "no" | "save";
  answered: (answer: Answer) => void;
}

class Screen {
  sheet = $state<Sheet | null>(null);
  question = $state.raw<Question | null>(null);
  /** What is shown below the keys. */
  lower = $state<"speed" | "meetings">("speed");
  copied = $state.raw<Record<string, unknown>[]>([]);
  /** What goes on once the scene has been saved under a name. */
  afterSave: (() => void) | null = null;
  /** Whether the first scene was seen. */
  isStarted = $state(false);
  /** From this revision on another document is shown, of which nothing is selected yet. */
  arrival = $state<number | null>(null);

  /** Ask before something is lost. */
  async ask(title: string, text: string, yes: string, no = "Cancel", safe: "yes" | "no" = "no"): Promise<boolean | null> {
    const answer = await this.answerTo({ title, text, yes, no, safe });
    return answer === "save" ? null : answer;
  }

  /** Ask before a scene is left; saving it is a way to go on. */
  askToLeave(title: string, text: string, yes: string, no: string): Promise<Answer> {
    return this.answerTo({ title, text, yes, no, safe: "save" });
  }

  private answerTo(asked: Omit<Question, "answered">): Promise<Answer> {
    return new Promise((answered) => {
      this.question = {
        ...asked,
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
