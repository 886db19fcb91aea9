import type {Failure} from '../../failure.ts';
import type {ExpressionEditing} from '../expression-editor/editing.ts';
import type {OpenedZone} from '../firewall/state.ts';

/** The screens that are forms with steps. */
export type SteppedScreen = 'wizard' | 'emergency' | 'customRule';

/** The lists that such forms are opened from. */
export type FormList = 'firewall' | 'customRules';

/** How a form ended: each state reports what exists now. */
export type FormEnding = {readonly state: string; readonly failure?: Failure | undefined};

/** What a form does: it asks for a step, sends, or shows how it ended. */
export type FormPhase<Doing, Ending> =
	| {readonly name: 'asking'}
	| {readonly name: 'sending'; readonly doing: Doing}
	| {readonly name: 'ended'; readonly ending: Ending; readonly cursor: number};

/** A form for a zone that is filled in step by step: an expression first, the requests last. */
export type FormState<Doing, Ending> = {
	readonly id: number;
	readonly zone: OpenedZone;
	readonly editing: ExpressionEditing;
	/** The last step shows the requests as they are, or as `curl` lines. */
	readonly shows: 'requests' | 'curl';
	/** Rows that the last step is scrolled down. */
	readonly top: number;
	readonly phase: FormPhase<Doing, Ending>;
};

/** How a form ended, in paragraphs of data as it is. */
export type Outcome = {
	readonly tone: 'good' | 'warning' | 'failed';
	readonly heading: string;
	readonly facts: readonly string[];
};
