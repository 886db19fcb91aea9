import {skippedBy} from '../../firewall/rules/skip.ts';
import type {RulesetOutcome} from '../../rulesets/change.ts';
import type {Ruleset, RulesetRule} from '../../rulesets/ruleset.ts';
import {bufferOf, selectLine, type TextBuffer, textOf} from '../../text/buffer/buffer.ts';
import {isJsonObject} from '../../text/json.ts';
import type {RuleThere} from '../custom-rules/writes.ts';
import {editingOf, expressionOf} from '../expression-editor/editing.ts';
import type {OpenedZone} from '../firewall/state.ts';
import type {FormPhase, FormRequest, FormState} from '../stepped-form/state.ts';

/** What someone opened the form for. */
export type CustomPurpose =
	/** A new rule, which begins as a copy of another one where one is given. */
	| {readonly kind: 'new'; readonly copyOf?: RulesetRule | undefined}
	| {
			readonly kind: 'change';
			readonly rule: RuleThere;
	  };

export type CustomStep = 'expression' | 'action' | 'about' | 'review';

/** A line of the step `about`. */
export type AboutRow = 'place' | 'description' | 'paused' | 'logged' | 'status' | 'type' | 'body';

/** The lines that are text; the others are switched with space. */
type TextRow = Exclude<AboutRow, 'paused' | 'logged' | 'type'>;

export type About = Readonly<Record<TextRow, TextBuffer>> & {
	readonly row: AboutRow;
	readonly paused: boolean;
	readonly logged: boolean;
	/** The content type of the answer. */
	readonly type: string;
};

/** How a run of the form ended. */
export type CustomEnding = RulesetOutcome;

/** What is done at this moment. */
export type CustomDoing = 'rule' | 'looking';

export type CustomForm = FormState<CustomDoing, CustomEnding> & {
	readonly phase: FormPhase<CustomDoing, CustomEnding>;
	readonly purpose: CustomPurpose;
	/** The entry point as it was read last before sending; `undefined` where the zone has none. */
	readonly ruleset: Ruleset | undefined;
	readonly step: CustomStep;
	/** The action of a rule that is changed may be unknown to this ledge. */
	readonly action: string | undefined;
	/** The names of what the action skip skips. */
	readonly skipped: readonly string[];
	/** Where the cursor is among what can be skipped, while that is chosen. */
	readonly skip: number | undefined;
	readonly about: About;
	/** Exactly what will be sent; nothing until the review is looked at. */
	readonly requests: readonly FormRequest[] | undefined;
	/** What the rule does and skips that it was begun with. */
	readonly begun: {readonly action: string | undefined; readonly skipped: readonly string[]};
	/** What was there before anything was typed. */
	readonly untouched: string;
};

export const lineOf = (text: string): TextBuffer => bufferOf(text, {singleLine: true});

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The lines about a rule; empty where there is none yet. */
export function aboutOf(rule: RulesetRule | undefined, row: AboutRow): About {
	const response = rule?.action_parameters?.response;
	const {status_code: status, content_type: type, content} = isJsonObject(response) ? response : {};
	return {
		row,
		place: lineOf(''),
		description: lineOf(rule?.description ?? ''),
		paused: rule?.enabled === false,
		logged: rule?.logging?.enabled ?? true,
		status: lineOf(status === undefined ? '' : String(status)),
		type: text(type) || 'text/plain',
		body: lineOf(text(content)),
	};
}

/** The form at its first step. */
export function beginningOf(
	id: number,
	purpose: CustomPurpose,
	zone: OpenedZone,
	ruleset: Ruleset | undefined,
): CustomForm {
	const rule = purpose.kind === 'change' ? purpose.rule : purpose.copyOf;
	const skipped = rule?.action === 'skip' ? skippedBy(rule) : [];
	const form: CustomForm = {
		id,
		purpose,
		zone,
		ruleset,
		step: 'expression',
		editing: editingOf(rule?.expression ?? '', zone),
		action: rule?.action,
		skipped,
		skip: undefined,
		about: aboutOf(rule, purpose.kind === 'new' ? 'place' : 'description'),
		requests: undefined,
		shows: 'requests',
		top: 0,
		phase: {name: 'asking'},
		begun: {action: rule?.action, skipped},
		untouched: '',
	};
	return {...form, untouched: contentOf(form)};
}

export const customSteps: readonly CustomStep[] = ['expression', 'action', 'about', 'review'];

/** The lines about a rule, by its action. */
export const aboutRows = ({action, purpose}: Pick<CustomForm, 'action' | 'purpose'>): readonly AboutRow[] => [
	...(purpose.kind === 'new' ? (['place'] as const) : []),
	'description',
	'paused',
	...(action === 'skip' ? (['logged'] as const) : []),
	...(action === 'block' ? (['status', 'type', 'body'] as const) : []),
];

export const isTextRow = (row: AboutRow): row is TextRow =>
	row !== 'paused' && row !== 'logged' && row !== 'type';

/** Moves to a line about the rule. Its text is selected, as in any form. */
export const enterAboutLine = (about: About, row: AboutRow): About => ({
	...about,
	row,
	...(isTextRow(row) && {[row]: selectLine(about[row])}),
});

/** Whether letters are text in the step in front. */
export const isTyping = ({phase, step}: CustomForm): boolean =>
	phase.name === 'asking' && (step === 'about' || step === 'expression');

/** Everything that was typed or chosen, to tell one state of it from another. */
const contentOf = ({editing, action, skipped, about}: CustomForm): string =>
	JSON.stringify([
		expressionOf(editing),
		action,
		skipped,
		...(['place', 'description', 'status', 'body'] as const).map(row => textOf(about[row])),
		about.paused,
		about.logged,
		about.type,
	]);

/** Whether anything was typed or chosen that leaving would lose. */
export const isTouched = (form: CustomForm): boolean => contentOf(form) !== form.untouched;
