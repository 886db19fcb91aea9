import type {Finding} from '../../firewall/rules/checks.ts';
import {contentTypes} from '../../firewall/rules/custom-checks.ts';
import type {Key} from '../../keyboard/key.ts';
import type {Has} from '../../store/ledge-store.ts';
import {bufferOf, edit, selectLine, type TextBuffer, textOf} from '../../text/buffer/buffer.ts';
import {type ExpressionEditing, editingOf, expressionOf} from '../expression-editor/editing.ts';
import type {OpenedZone, Place} from '../firewall/state.ts';
import type {Action} from '../shell/app.ts';
import {editCommandOf} from '../shell/edit-keys.ts';
import type {WorkSubject} from '../shell/work-slice.ts';
import type {WriteRequest} from '../write-flow/curl.ts';
import type {FormEnding, FormList, Outcome, RuleScreen} from './state.ts';

/** The steps of a form, in their order; `about` has a line for the order, the description and the rest. */
export const ruleSteps = ['expression', 'action', 'about', 'review'] as const;
export type RuleStep = (typeof ruleSteps)[number];

type TextRow = 'order' | 'description' | 'status' | 'body';

/** A line of the step `about`. */
type AboutRow = TextRow | 'paused' | 'logged' | 'type';

/** The lines of the step `about`: texts, and values that space switches. */
export type About = Readonly<Record<TextRow, TextBuffer>> & {
	readonly row: AboutRow;
	readonly paused: boolean;
	/** Whether what the rule lets past is logged. */
	readonly logged: boolean;
	/** The content type of the answer to a blocked request. */
	readonly type: string;
};

/** What is being done, as the steps of the progress name it. */
export type Doing = 'filter' | 'rule' | 'looking' | 'change' | 'delete' | 'undo';

/** A rule, or a filter, that someone creates or changes. */
export type RuleForm<Purpose = unknown, Ending extends FormEnding = FormEnding> = {
	readonly id: number;
	readonly zone: OpenedZone;
	readonly editing: ExpressionEditing;
	/** It asks for a step, sends, or shows how it ended. */
	readonly phase:
		| {readonly name: 'asking'}
		| {readonly name: 'sending'; readonly doing: Doing}
		| {readonly name: 'ended'; readonly ending: Ending; readonly cursor: number};
	/** The review shows the requests as they are, or as `curl` lines. */
	readonly shows: 'requests' | 'curl';
	/** Rows that the review is scrolled down. */
	readonly top: number;
	/** What the form was opened for. */
	readonly purpose: Purpose;
	readonly step: RuleStep;
	/** An existing filter in place of the expression. */
	readonly filter?: {readonly id: string; readonly expression?: string | undefined} | undefined;
	/** A filter that came of this form and has no rule yet. */
	readonly left?: string | undefined;
	/** The action of a rule that is changed may be unknown to this ledge. */
	readonly action: string | undefined;
	/** What the action skips or bypasses. */
	readonly chosen: readonly string[];
	/** The cursor among what can be skipped or bypassed, while that is chosen. */
	readonly choosing: number | undefined;
	readonly about: About;
	/** Exactly what will be sent; undefined before the review. */
	readonly requests: readonly WriteRequest[] | undefined;
	/** The content before anything was typed. */
	readonly untouched: string;
};

/** What can be chosen once something was sent. */
export type RuleChoice = {
	readonly does:
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
		/** Puts what was typed on the current version. */
		| 'keep mine'
		/** Creates what was typed anew: what was to be changed is gone. */
		| 'make new'
		/** Creates a filter in place of one that is gone. */
		| 'new filter'
		| 'emergency'
		| 'undo';
	readonly label: string;
};

/** What one kind of rule has of its own: words, checks, requests and endings. Pure. */
export type RuleKind<Form extends RuleForm<Purpose, Ending>, Purpose, Ending extends FormEnding> = {
	readonly screen: RuleScreen;
	/** The list that it is opened from, and the key that opens it there. */
	readonly list: FormList;
	readonly key: string;
	readonly group: NonNullable<Action['group']>;
	/** Its name in a question. */
	readonly noun: string;
	/** The kind of its drafts, as on disk. */
	readonly draftKind: 'rule' | 'custom rule' | 'emergency';
	read(state: Has<RuleScreen>): Form | undefined;
	/** Tells the drafts of a zone apart. */
	draftKey(purpose: Purpose): string;
	/** The breadcrumb. */
	path(form: Form): readonly string[];
	/** A warning above all steps, up to 54 columns. */
	heading?(form: Form): string;
	/** What is asked for while the expression is empty, and what enter makes of a text that is no expression. */
	typing?(form: Form): {readonly asks: string; readonly meant: string | undefined};
	steps(form: Form): readonly RuleStep[];
	stepName(form: Form, step: RuleStep): string;
	rows(form: Form): readonly AboutRow[];
	/** The name of the line `order`; undefined for a kind without the step `about`. */
	readonly order?: string;
	/** Hints of the lines that only this kind has. */
	hints(form: Form): Readonly<Partial<Record<AboutRow, string>>>;
	/** Why what was typed in the line `order` is no place. */
	orderProblem(form: Form): string | undefined;
	/** The rules before and after it, each in a line; undefined where there is no order. */
	neighbours(form: Form): {before: string | undefined; own: string; after: string | undefined} | undefined;
	/** The actions in the order in which they are offered, with what each does to a request. */
	readonly actions: Readonly<Record<string, string>>;
	/** The action of the rule that is changed. */
	ownAction(form: Form): string | undefined;
	/** Why an action cannot be chosen in this zone. The action of the rule itself always can. */
	whyNotAction(form: Form, action: string): string | undefined;
	/** The action after which names are chosen. */
	readonly chooser?: {
		readonly action: string;
		readonly title: string;
		readonly names: readonly string[];
		readonly about: Readonly<Record<string, string>>;
		/** Said where none was chosen. */
		readonly none: string;
		/** Why a name cannot be chosen in this zone. What the rule has already always can. */
		whyNot(form: Form, name: string): string | undefined;
	};
	/** Whether the expression is one that the service has accepted before. */
	isSameExpression(form: Form): boolean;
	findings(form: Form): readonly Finding[];
	/** Exactly what will be sent, in its order; empty where nothing would change. */
	requests(form: Form): readonly WriteRequest[];
	/** Why it cannot be sent, apart from findings. */
	obstacle?(form: Form): string | undefined;
	/** What the review says of it: what it will do, what it changes, what speaks against it, whom it concerns. */
	review(form: Form): Readonly<Record<'summary' | 'changes' | 'warnings' | 'concerns', readonly string[]>> & {
		/** What it does not protect from, below the requests. */
		readonly limits?: readonly {readonly text: string; readonly look: 'warning' | 'plain'}[];
	};
	/** Spaces that the body of a request is indented by; 2 if undefined. */
	readonly indent?: number;
	/** A warning once the action is chosen. */
	warning?(form: Form): string | undefined;
	/** The name of the write, for the status line. */
	label(form: Form): string;
	subject(form: Form): WorkSubject | undefined;
	firstDoing(form: Form): Doing;
	/** How the audit log calls a write before it has an id. */
	describeWrite(form: Form, doing: Exclude<Doing, 'looking' | 'undo'>): string;
	/** Why sending it needs the zone's name. */
	nameReasons(form: Form): readonly string[];
	/** What an ending changes of the form. */
	endedWith?(form: Form, ending: Ending): Partial<Form>;
	/** The lists that may show something else after it, and the row for their cursor. */
	changes(ending: Ending): {readonly changes: FormList | undefined; readonly made: Place | undefined};
	/** Whether what was typed has come to nothing, or nobody knows: leaving loses it. */
	isUnused(ending: Ending): boolean;
	/** Whether nothing is left to decide: if undefined, unless it is unused. */
	isDone?(ending: Ending): boolean;
	/** Whether leaving loses nothing although it is unused. */
	isKept(ending: Ending): boolean;
	sentence(form: Form, ending: Ending): string;
	outcome(form: Form, ending: Ending): Outcome;
	/** The first one loses nothing and destroys nothing. */
	choices(form: Form, ending: Ending): readonly RuleChoice[];
	/** The form after a choice; undefined where that asks nothing of it. */
	onward(form: Form, ending: Ending, does: RuleChoice['does']): Form | undefined;
	/** The form after esc; undefined where only leaving is left. */
	backFrom(form: Form, ending: Ending): Form | undefined;
	leavingLines(form: Form): readonly string[];
	leftSentence(form: Form): string | undefined;
	lastWords(form: Form | undefined, isUnseen: boolean): string | undefined;
	/** The command to continue after it has ended. */
	command?(form: Form): string | undefined;
};

/** Any kind of rule. */
export type AnyRuleKind = RuleKind<RuleForm, unknown, FormEnding>;

export const lineOf = (text: string): TextBuffer => bufferOf(text, {singleLine: true});

/** The lines of a rule, as texts and switches. */
type AboutTexts = {readonly [Row in TextRow | 'type']?: string | undefined} & {
	readonly row: AboutRow;
	readonly paused?: boolean | undefined;
	readonly logged?: boolean | undefined;
};

/** The lines of the step `about`; empty where nothing is given. */
export const aboutOf = ({
	row,
	order = '',
	description = '',
	status = '',
	body = '',
	...rest
}: AboutTexts): About => ({
	row,
	order: lineOf(order),
	description: lineOf(description),
	status: lineOf(status),
	body: lineOf(body),
	paused: rest.paused ?? false,
	logged: rest.logged ?? true,
	type: rest.type ?? 'text/plain',
});

type Beginning<Purpose> = Pick<
	RuleForm<Purpose>,
	'id' | 'purpose' | 'zone' | 'step' | 'action' | 'chosen'
> & {
	readonly filter?: RuleForm['filter'];
	readonly about: About;
	readonly expression: string;
};

/** A form before anything was typed. */
export function beginRuleForm<Purpose>({expression, filter, ...given}: Beginning<Purpose>) {
	const form = {
		...given,
		filter,
		editing: editingOf(expression, given.zone),
		choosing: undefined,
		requests: undefined,
		shows: 'requests',
		top: 0,
		phase: {name: 'asking'},
	} as const;
	return {...form, untouched: contentOf(form)};
}

/** Everything that was typed or chosen, to tell one state of it from another. */
export const contentOf = ({
	editing,
	filter,
	action,
	chosen,
	about: {row, ...about},
}: Pick<RuleForm, 'editing' | 'filter' | 'action' | 'chosen' | 'about'>): string =>
	JSON.stringify([
		expressionOf(editing),
		filter?.id,
		action,
		chosen,
		Object.values(about).map(line => (typeof line === 'object' ? textOf(line) : line)),
	]);

/** Whether anything was typed or chosen that leaving would lose. */
export const isTouched = (form: RuleForm): boolean => contentOf(form) !== form.untouched;

/** Whether letters are text in the step in front. */
export const isTyping = ({phase, step, filter}: RuleForm): boolean =>
	phase.name === 'asking' && (step === 'about' || (step === 'expression' && filter === undefined));

/** Whether a line is text; the others are switched with space. */
export const isTextRow = (row: AboutRow): row is TextRow =>
	row !== 'paused' && row !== 'logged' && row !== 'type';

/** Moves to a line of the step `about`. Its text is selected, as in any form. */
export const enterRow = (about: About, row: AboutRow): About => ({
	...about,
	row,
	...(isTextRow(row) && {[row]: selectLine(about[row])}),
});

/** The lines after a key in the step `about`; undefined where the key means nothing there. */
export function typeInAbout(about: About, rows: readonly AboutRow[], {name, ...key}: Key): About | undefined {
	const {row} = about;
	const moved = (by: number) =>
		enterRow(about, rows[Math.max(0, Math.min(rows.length - 1, rows.indexOf(row) + by))] ?? row);
	if (name === 'up' || name === 'ctrl-p' || name === 'shift-tab') return moved(-1);
	if (name === 'down' || name === 'ctrl-n') return moved(1);
	if (!isTextRow(row)) {
		const turns = name === 'space' || name === 'left' || name === 'right';
		return turns ? switchRow(about, row, name === 'left' ? -1 : 1) : undefined;
	}
	const command = editCommandOf({name, ...key});
	return command && {...about, [row]: edit(about[row], command)};
}

/** A line that is not text, with its next value. */
function switchRow(about: About, row: 'paused' | 'logged' | 'type', by: 1 | -1): About {
	if (row !== 'type') return {...about, [row]: !about[row]};
	const known: readonly string[] = contentTypes;
	const at = known.indexOf(about.type);
	const type = known[at < 0 ? 0 : (at + by + known.length) % known.length] ?? about.type;
	return {...about, type};
}

/** The form at its review, with the requests as they will be sent. */
export const toReview = <Form extends RuleForm>(
	kind: {requests(form: Form): readonly WriteRequest[]},
	form: Form,
): Form => ({
	...form,
	phase: {name: 'asking'},
	step: 'review',
	requests: kind.requests(form),
	shows: 'requests',
	top: 0,
});

/** The form at another step. */
export const toStep = <Form extends RuleForm>(form: Form, step: Exclude<RuleStep, 'review'>): Form => ({
	...form,
	phase: {name: 'asking'},
	step,
	choosing: undefined,
});

/** The form on the current version: what was changed since `before` stays changed, the rest is as in `theirs`. */
export function rebaseForm<Form extends RuleForm>(form: Form, before: Form, theirs: Form): Form {
	const isMine = (toText: (one: Form) => string) => toText(form) !== toText(before);
	const line = <Row extends Exclude<keyof About, 'row'>>(row: Row): About[Row] => {
		const toText = ({about: {[row]: value}}: Form) =>
			typeof value === 'object' ? textOf(value as TextBuffer) : String(value);
		return (isMine(toText) ? form : theirs).about[row];
	};
	const {action, chosen} = isMine(one => JSON.stringify([one.action, one.chosen])) ? form : theirs;
	return {
		...theirs,
		step: form.step,
		editing: (isMine(({editing}) => expressionOf(editing)) ? form : theirs).editing,
		action,
		chosen,
		about: {
			row: form.about.row,
			order: line('order'),
			description: line('description'),
			status: line('status'),
			body: line('body'),
			type: line('type'),
			paused: line('paused'),
			logged: line('logged'),
		},
	};
}

/** Why a form cannot be sent. */
export function findObstacle(kind: AnyRuleKind, form: RuleForm): string | undefined {
	const obstacle = kind.obstacle?.(form);
	if (obstacle !== undefined) return obstacle;
	if (kind.requests(form).length === 0) return 'Nothing was changed, so there is nothing to send.';
	const wrong = kind.findings(form).find(({severity}) => severity === 'error');
	return wrong && explainFinding(wrong);
}

/** A finding with its reason. */
export const explainFinding = ({sentence, failure: {details}}: Finding): string =>
	[sentence, details.why].filter(Boolean).join(' ');

/** Whether leaving loses something that was typed or chosen, or leaves a filter that has no rule. */
export function isLost(kind: Pick<AnyRuleKind, 'isUnused'>, form: RuleForm | undefined): boolean {
	switch (form?.phase.name) {
		case 'asking':
			return form.left !== undefined || isTouched(form);
		case 'ended':
			return form.left !== undefined || kind.isUnused(form.phase.ending);
		default:
			return false;
	}
}

/** How much was sent before the review is: nothing, or a filter that exists already. */
export const describeSent = ({left}: RuleForm): string =>
	left === undefined ? 'nothing has been sent' : `filter ${left} exists; the rule has not been sent`;
