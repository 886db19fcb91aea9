import type {DraftFinding} from '../../firewall/rules/checks.ts';
import type {RulesetPhase} from '../../rulesets/ruleset.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {
	createExpressionEditing,
	type ExpressionEditing,
	getTypedExpression,
} from '../expression-editor/editing.ts';
import type {Report} from '../expression-editor/report.tsx';
import type {FirewallTarget} from '../firewall/state.ts';
import type {Action} from '../shell/app.ts';
import type {WorkSubject} from '../shell/work-slice.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import type {WriteRequest} from '../write-flow/curl.ts';
import {type AboutFields, type AboutRow, createLine} from './about-fields.ts';
import {findEndProblem, formatEndText} from './rule-end.ts';
import type {FormEnding, FormList, FormResultText, RuleScreen} from './state.ts';

/** The steps of a form, in order. `about` covers the order, the description and other settings. */
export const ruleSteps = ['expression', 'action', 'about', 'review'] as const;
export type RuleStep = (typeof ruleSteps)[number];

/** The current operation, as shown in the progress. */
export type ProgressStep = 'filter' | 'rule' | 'looking' | 'change' | 'delete' | 'undo';

/** Which security events an expression matches. It is shown only for the input that it was made for. */
export type MatchReport = Report & {
	readonly input: string;
	readonly isReading: boolean;
};

/** A form that creates or changes a rule or a filter. */
export type RuleForm<Purpose = unknown, Ending extends FormEnding = FormEnding> = {
	readonly id: number;
	readonly zone: ZoneWithLabel;
	readonly editing: ExpressionEditing;
	/** Asking for input, sending, or showing the result. */
	readonly phase:
		| {readonly name: 'asking'}
		| {readonly name: 'sending'; readonly doing: ProgressStep}
		| {readonly name: 'ended'; readonly ending: Ending; readonly cursor: number};
	/** Whether the review shows requests or `curl` lines. */
	readonly shows: 'requests' | 'curl';
	/** Scroll offset of the review or the result, in rows. */
	readonly top: number;
	/** What the form was opened for. */
	readonly purpose: Purpose;
	readonly step: RuleStep;
	/** An existing filter in place of the expression; `deleted` if the rule still names it. */
	readonly filter?:
		| {readonly id: string; readonly expression?: string | undefined; readonly deleted?: true}
		| undefined;
	/** Id of a filter that this form created and that has no rule yet. */
	readonly orphanFilterId?: string | undefined;
	/** May be an action unknown to this version, if a rule is changed. */
	readonly action: string | undefined;
	/** The action under the cursor of the menu, once it was moved. */
	readonly pointedAction?: string | undefined;
	/** What the action skips or bypasses. */
	readonly chosenNames: readonly string[];
	/** Cursor in the products or rules to skip or bypass; undefined unless they are being chosen. */
	readonly choiceCursor: number | undefined;
	readonly aboutFields: AboutFields;
	/** The last count of matching security events. */
	readonly matchReport?: MatchReport | undefined;
	/** The exact requests to send; undefined before the review. */
	readonly requests: readonly WriteRequest[] | undefined;
	/** The serialized form before any input, to detect changes. */
	readonly initialInput: string;
};

/** A choice after the form was sent. */
export type RuleChoice = {
	readonly id:
		| 'leave'
		| 'use the filter'
		| 'change the expression'
		| 'change the action'
		| 'change it'
		| 'try again'
		| 'delete the filter'
		| 'look again'
		| 'take theirs'
		| 'rule on it'
		/** Applies the input to the current version. */
		| 'keep mine'
		/** Creates a new object from the input, because the changed one is gone. */
		| 'make new'
		/** Creates a new filter, because the chosen one is gone. */
		| 'new filter'
		/** Continues in the form of a custom rule. */
		| 'as custom rule'
		| 'undo';
	readonly label: string;
};

/** Text, checks, requests and endings of one kind of rule. Pure. */
export type RuleKind<Form extends RuleForm<Purpose, Ending>, Purpose, Ending extends FormEnding> = {
	readonly screen: RuleScreen;
	/** The list that opens the form, and the key there. */
	readonly list: FormList;
	readonly openingKey: string;
	readonly group: NonNullable<Action['group']>;
	/** Name of the form in a question. */
	readonly noun: string;
	/** The phase whose rules it changes; undefined for rules of the old API, which the service cannot check. */
	readonly phase?: RulesetPhase;
	/** Kind of its drafts, as stored on disk. */
	readonly draftKind: 'rule' | 'custom rule' | 'rate limit' | 'emergency';
	getForm(state: StateWith<RuleScreen>): Form | undefined;
	/** Distinguishes the drafts of one zone. */
	getDraftKey(purpose: Purpose): string;
	/** Segments of the breadcrumb. */
	getPath(form: Form): readonly string[];
	/** A warning above all steps, up to 54 columns. */
	getHeading?(form: Form): string;
	/** The prompt for an empty expression, if it is not the usual one. */
	readonly emptyPrompt?: string;
	listSteps(form: Form): readonly RuleStep[];
	getStepName(form: Form, step: RuleStep): string;
	listRows(form: Form): readonly AboutRow[];
	/** Label of the line `order`; undefined for kinds without the step `about`. */
	readonly orderLabel?: string;
	/** Hints for lines that only this kind has. */
	getHints(form: Form): Readonly<Partial<Record<AboutRow, string>>>;
	/** Explains why a line of the step `about` is invalid, except `ends`; undefined if all are valid. */
	findLineProblem(form: Form): string | undefined;
	/** Describes the rule and its neighbours, one line each; undefined if rules have no order. */
	describeNeighbours(
		form: Form,
	): {previous: string | undefined; rule: string; next: string | undefined} | undefined;
	/** The actions in the order offered, each with its effect on a request. */
	readonly actions: Readonly<Record<string, string>>;
	/** The action of the changed rule. */
	getOwnAction(form: Form): string | undefined;
	/**
	 * Explains why an action is unavailable in this zone; undefined if it is available. The rule's own action
	 * always is.
	 */
	getActionRefusal(form: Form, action: string): string | undefined;
	/** The action that needs a choice of names. */
	readonly chooser?: {
		readonly action: string;
		readonly title: string;
		readonly names: readonly string[];
		readonly descriptions: Readonly<Record<string, string>>;
		/** Warning if none is chosen. */
		readonly noneWarning: string;
		/**
		 * Explains why a name is unavailable in this zone; undefined if it is available. The rule's own names
		 * always are.
		 */
		getNameRefusal(form: Form, name: string): string | undefined;
	};
	/** True if the service has accepted this expression before. */
	isExpressionAccepted(form: Form): boolean;
	/** Checks the input. Names unknown to ledge are warnings: using them was confirmed. */
	listFindings(form: Form): readonly DraftFinding[];
	/** The exact requests to send, in order; empty if nothing would change. */
	buildRequests(form: Form): readonly WriteRequest[];
	/** Explains why the form cannot be sent, apart from findings. */
	findObstacle?(form: Form): string | undefined;
	/** Text of the review: the effect, the changes, warnings, and affected rules or limits. */
	describeReview(form: Form): Readonly<
		Record<'summary' | 'changes' | 'warnings' | 'concerns', readonly string[]>
	> & {
		/** What the rule does not protect against, below the requests. */
		readonly limits?: readonly {readonly text: string; readonly look: 'warning' | 'plain'}[];
	};
	/** Indentation of request bodies, in spaces; 2 if undefined. */
	readonly indent?: number;
	/** A warning after the action is chosen. */
	getWarning?(form: Form): string | undefined;
	/** What the write does, for the question before it: "create the rule". */
	getActionLabel(form: Form): string;
	/** Names the write, for the status line. */
	getLabel(form: Form): string;
	/** What the write changes; other work on it waits. */
	getWorkSubject(form: Form): WorkSubject | undefined;
	/** The first operation shown in the progress of sending. */
	getFirstProgressStep(form: Form): ProgressStep;
	/** Describes a write for the audit log, before the object has an id. */
	describeWrite(form: Form, doing: Exclude<ProgressStep, 'looking' | 'undo'>): string;
	/** Reasons to require the zone's name before sending; empty if a confirmation is enough. */
	listZoneNameReasons(form: Form): readonly string[];
	/** Returns the part of the form that an ending changes. */
	applyEnding?(form: Form, ending: Ending): Partial<Form>;
	/** The list that an ending affects, and the row for its cursor. */
	getAffectedList(
		form: Form,
		ending: Ending,
	): {
		readonly list: FormList | undefined;
		readonly target: FirewallTarget | undefined;
	};
	/** True if the input had no effect, or an unknown one: leaving loses it. */
	isInputUnused(ending: Ending): boolean;
	/** True if nothing is left to decide; defaults to the opposite of `isInputUnused`. */
	isDone?(ending: Ending): boolean;
	/** True if leaving loses nothing even though the input is unused. */
	losesNothingOnLeave(ending: Ending): boolean;
	formatEndingSentence(form: Form, ending: Ending): string;
	/** What to do in a full zone instead of deleting a rule, if anything: the end of a sentence. */
	describeQuotaAlternative?(): string;
	/** Lists what happens to a chosen filter, in sentences. */
	listFilterNotes?(form: Form): readonly string[];
	/** Formats when a chosen filter ends the rule, as a line of the form; undefined if it does not. */
	describeFilterEnd?(form: Form): string | undefined;
	/** Builds the text of the result page. */
	buildResultText(form: Form, ending: Ending): FormResultText;
	/** Choices after an ending; the first one is safe: it loses and destroys nothing. */
	listChoices(form: Form, ending: Ending): readonly RuleChoice[];
	/** Returns the form after a choice; undefined if the choice does not continue the form. */
	applyChoice(form: Form, ending: Ending, choiceId: RuleChoice['id']): Form | undefined;
	/** Returns the form after esc; undefined if esc leaves it. */
	stepBack(form: Form, ending: Ending): Form | undefined;
	/** What leaving loses or leaves behind, for the question before it. */
	getLeaveWarning(form: Form): readonly string[];
	/**
	 * The message after the form was closed; undefined if there is nothing to say. `isUndoHere`: its list is
	 * shown, where a key undoes the change.
	 */
	getLeaveMessage(form: Form, isUndoHere: boolean): string | undefined;
	/** The message to print after ledge quits. `isUnseen`: the user may not have seen the ending. */
	getQuitMessage(form: Form | undefined, isUnseen: boolean): string | undefined;
	/** The shell command that continues from an ending. */
	getCommand?(form: Form): string | undefined;
};

/** Any kind of rule. */
export type AnyRuleKind = RuleKind<RuleForm, unknown, FormEnding>;

type RuleFormStart<Purpose> = Pick<
	RuleForm<Purpose>,
	'id' | 'purpose' | 'zone' | 'step' | 'action' | 'chosenNames'
> & {
	readonly filter?: RuleForm['filter'];
	readonly aboutFields: AboutFields;
	readonly expression: string;
};

/** Creates a form before any input. */
export function beginRuleForm<Purpose>({expression, filter, aboutFields, ...start}: RuleFormStart<Purpose>) {
	const form = {
		...start,
		filter,
		aboutFields: {...aboutFields, ends: createLine(formatEndText(expression))},
		editing: createExpressionEditing(expression, start.zone),
		choiceCursor: undefined,
		requests: undefined,
		shows: 'requests',
		top: 0,
		phase: {name: 'asking'},
	} as const;
	return {...form, initialInput: serializeForm(form)};
}

/** Serializes all input, to compare two states of a form. */
export const serializeForm = ({
	editing,
	filter,
	action,
	chosenNames,
	aboutFields: {cursorRow, ...about},
}: Pick<RuleForm, 'editing' | 'filter' | 'action' | 'chosenNames' | 'aboutFields'>): string =>
	JSON.stringify([
		getTypedExpression(editing),
		filter?.id,
		action,
		chosenNames,
		Object.values(about).map(line => (typeof line === 'object' ? getBufferText(line) : line)),
	]);

/** True if the input differs from the initial state. */
export const isTouched = (form: RuleForm): boolean => serializeForm(form) !== form.initialInput;

/** True if letters are text in the current step. */
export const isTyping = ({phase, step, filter}: RuleForm): boolean =>
	phase.name === 'asking' && (step === 'about' || (step === 'expression' && filter === undefined));

/** Moves the form to its review and builds its requests. */
export const toReview = <Form extends RuleForm>(
	kind: {buildRequests(form: Form): readonly WriteRequest[]},
	form: Form,
): Form => ({
	...form,
	phase: {name: 'asking'},
	step: 'review',
	requests: kind.buildRequests(form),
	shows: 'requests',
	top: 0,
});

/** Moves the form to another step. */
export const toStep = <Form extends RuleForm>(form: Form, step: Exclude<RuleStep, 'review'>): Form => ({
	...form,
	phase: {name: 'asking'},
	step,
	choiceCursor: undefined,
});

/**
 * Rebases the form on the current version: input that differs from `baseline` stays; everything else comes
 * from `currentForm`.
 */
export function rebaseForm<Form extends RuleForm>(form: Form, baseline: Form, currentForm: Form): Form {
	const wasEdited = (toText: (one: Form) => string) => toText(form) !== toText(baseline);
	const toText = (value: AboutFields[keyof AboutFields]) =>
		typeof value === 'object' ? getBufferText(value) : String(value);
	const editedLines = Object.entries(form.aboutFields).filter(
		([row, value]) => toText(value) !== toText(baseline.aboutFields[row as keyof AboutFields]),
	);
	const {action, chosenNames} = wasEdited(one => JSON.stringify([one.action, one.chosenNames]))
		? form
		: currentForm;
	const {editing} = wasEdited(one => getTypedExpression(one.editing)) ? form : currentForm;
	return {
		...currentForm,
		step: form.step,
		editing,
		action,
		chosenNames,
		aboutFields: {
			...currentForm.aboutFields,
			...Object.fromEntries(editedLines),
			cursorRow: form.aboutFields.cursorRow,
			ends: createLine(formatEndText(getTypedExpression(editing))),
		},
	};
}

/** Explains why a line of the step `about` is invalid; undefined if all are valid. */
export const findAboutProblem = (
	kind: Pick<AnyRuleKind, 'findLineProblem' | 'listRows'>,
	form: RuleForm,
): string | undefined =>
	kind.findLineProblem(form) ?? (kind.listRows(form).includes('ends') ? findEndProblem(form) : undefined);

/** Explains why a form cannot be sent; undefined if it can. */
export function findFormObstacle(kind: AnyRuleKind, form: RuleForm): string | undefined {
	const obstacle = kind.findObstacle?.(form);
	if (obstacle !== undefined) return obstacle;
	if (kind.buildRequests(form).length === 0) return 'No changes to send.';
	const error = kind.listFindings(form).find(({severity}) => severity === 'error');
	return error && explainFinding(error);
}

/** Formats a finding with its reason. */
export const explainFinding = ({sentence, failure: {details}}: DraftFinding): string =>
	[sentence, details.why].filter(Boolean).join(' ');

/** True if leaving loses input, or leaves a filter without its rule. */
export function hasUnfinishedWork(
	kind: Pick<AnyRuleKind, 'isInputUnused'>,
	form: RuleForm | undefined,
): boolean {
	switch (form?.phase.name) {
		case 'asking':
			return form.orphanFilterId !== undefined || isTouched(form);
		case 'ended':
			return form.orphanFilterId !== undefined || kind.isInputUnused(form.phase.ending);
		default:
			return false;
	}
}

/** Describes what was sent before the review: nothing, or a filter that exists already. */
export const describeSent = ({orphanFilterId}: RuleForm): string =>
	orphanFilterId === undefined
		? 'nothing has been sent'
		: `filter ${orphanFilterId} exists; the rule has not been sent`;
