import type {Client} from '../../service/client.ts';
import type {WriteSteps} from '../../session/audit.ts';
import type {OpenedZone} from '../firewall/state.ts';
import type {Doing, RuleChoice} from './rule-form.ts';

/** What sending needs: the signal that stops it, and where it reports what it does and what took effect. */
export type Sending = {
	readonly signal: AbortSignal;
	onStep(doing: Doing): void;
	/** What is sent now, for the audit log, where that is not the step's one write. */
	onSend: WriteSteps['sends'];
	onWrite: WriteSteps['wrote'];
};

/** The sending of a form: its label, the first step, and what it does at the service. */
export type Send<Ending> = (
	label: string,
	doing: Doing,
	work: (client: Client, sending: Sending) => Promise<Ending>,
) => Promise<void>;

/** What one kind of rule does at the service and with other features. */
export type RuleBackend<Form, Purpose, Ending> = {
	/** The zone whose list is open. */
	openedZone(): OpenedZone | undefined;
	begin(id: number, purpose: Purpose, zone: OpenedZone): Form;
	/** The form with the lists of its zone as they were read last. */
	refresh(form: Form): Form;
	/** Sends what the review shows, and returns the state afterwards. Fails only before anything was sent. */
	send(client: Client, form: Form, sending: Sending): Promise<Ending>;
	/** Reads the state again after an unknown outcome. Sends nothing. */
	lookAgain(client: Client, form: Form, ending: Ending, sending: Sending): Promise<Ending>;
	/** Asks before the expression is left, and goes on with the answer; returns whether it asked. */
	asks?(form: Form, goOn: (part: Partial<Form>) => void): boolean;
	/** What a step back undoes. */
	undoneBy?(form: Form): Partial<Form> | undefined;
	onChosen?(name: string): void;
	/** Shows an ending in the lists. */
	show?(form: Form, ending: Ending): void;
	/** A choice that leads elsewhere or sends something else; undefined for all others. */
	choose?(
		form: Form,
		ending: Ending,
		does: RuleChoice['does'],
		send: Send<Ending>,
	): Promise<void> | undefined;
	afterLeaving?(form: Form, readLists: () => void): void;
};
