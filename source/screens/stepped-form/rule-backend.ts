import type {Client} from '../../service/client.ts';
import type {WriteSteps} from '../../session/audit.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import type {ProgressStep, RuleChoice} from './rule-form.ts';

/** Context of a send: the signal that stops it, and callbacks for its progress and its writes. */
export type SendContext = {
	readonly signal: AbortSignal;
	onStep(step: ProgressStep): void;
	/** Reports a request for the audit log, if it is not the step's only write. */
	onSend: WriteSteps['onSend'];
	onWritten: WriteSteps['onWritten'];
};

/** Sends a form: the label for the status line, the first step, and the calls to the service. */
export type SendForm<Ending> = (
	label: string,
	firstStep: ProgressStep,
	work: (client: Client, context: SendContext) => Promise<Ending>,
) => Promise<void>;

/** What one kind of rule does with the service and with other features. */
export type RuleBackend<Form, Purpose, Ending> = {
	/** The zone of the open list. */
	getOpenedZone(): ZoneWithLabel | undefined;
	begin(formId: number, purpose: Purpose, zone: ZoneWithLabel): Form;
	/** Returns the form with the most recently read lists of its zone. */
	refresh(form: Form): Form;
	/** Sends what the review shows; returns the state afterwards. Fails only before anything was sent. */
	send(client: Client, form: Form, context: SendContext): Promise<Ending>;
	/** Reads the state again after an unknown outcome. Sends nothing. */
	lookAgain(client: Client, form: Form, ending: Ending, context: SendContext): Promise<Ending>;
	/**
	 * Asks a question before the expression step is left, and continues with the answer. Returns true if it
	 * asked.
	 */
	askAboutExpression?(form: Form, proceed: (part: Partial<Form>) => void): boolean;
	/** Returns the part of the form that going back a step resets. */
	getStepUndo?(form: Form): Partial<Form> | undefined;
	/** Called after a name was chosen to skip or bypass. */
	onChoice?(name: string): void;
	/** Shows an ending in the lists, or notes it for their undo. */
	showInLists?(form: Form, ending: Ending): void;
	/** Handles a choice that leads to another screen or sends something else; undefined for all others. */
	handleChoice?(
		form: Form,
		ending: Ending,
		choiceId: RuleChoice['id'],
		send: SendForm<Ending>,
	): Promise<void> | undefined;
	/** Called after the form was closed. */
	onLeave?(form: Form, readLists: () => void): void;
};
