import {type Failure, isFailure} from '../../failure.ts';
import {saysTheSame} from '../../rulesets/difference.ts';
import {readRulesetRule} from '../../rulesets/read-ruleset.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {Draft} from '../../state/drafts.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import {type CustomRulesState, rulesOf} from '../custom-rules/state.ts';
import type {RuleThere} from '../custom-rules/writes.ts';
import type {FormCreator} from '../drafts/form.ts';
import {editingOf, expressionOf} from '../expression-editor/editing.ts';
import type {OpenedZone} from '../firewall/state.ts';
import {wasRead} from '../shell/rereading.ts';
import {isSent, keptForm} from '../stepped-form/draft-form.ts';
import {reviewing} from './draft.ts';
import {isUnused} from './ending.ts';
import {rebased} from './rebase.ts';
import {
	type CustomForm,
	type CustomPurpose,
	type CustomStep,
	customSteps,
	isTouched,
	lineOf,
} from './state.ts';

const texts = ['place', 'description', 'status', 'body'] as const;

/** All that a person entered, as it is kept. */
type CustomFields = {
	/** The rule that is changed or copied, as it was when the form was opened. */
	readonly base: RulesetRule | undefined;
	readonly isChange: boolean;
	readonly step: CustomStep;
	readonly expression: string;
	readonly action: string | undefined;
	readonly skipped: readonly string[];
	readonly lines: Readonly<Record<(typeof texts)[number], string>>;
	readonly type: string;
	readonly paused: boolean;
	readonly logged: boolean;
	/** Whether it was sent, and what became of it was not known. */
	readonly sent: boolean;
};

/** Which of several drafts of a zone: the rule that is changed, or that it is a new one. */
export function customDraftKey(purpose: CustomPurpose): string {
	if (purpose.kind === 'change') return `change ${purpose.rule.id}`;
	return purpose.copyOf ? `copy of ${purpose.copyOf.id ?? ''}` : 'new';
}

/** The form of a custom rule, which keeps drafts until what was entered is in force, or discarded. */
export const createCustomRuleForm: FormCreator = (get, ports) => {
	/** Reads what exists in the zone; returns why it cannot be read. */
	async function readList(of: OpenedZone, signal: AbortSignal): Promise<Failure | undefined> {
		get().firewall.open(of);
		get().customRules.open(of);
		try {
			await get().customRules.load(signal);
			return undefined;
		} catch (error) {
			if (signal.aborted || !isFailure(error)) throw error;
			return error;
		}
	}

	return keptForm<CustomForm, CustomFields>(get, ports, {
		form: {kind: 'custom rule', version: 1},
		screen: 'customRule',
		noun: 'custom rule',
		list: 'customRules',
		read: state => state.customRule.data,
		isOver: ({phase}) => phase.name === 'ended' && !isUnused(phase.ending),
		isTouched,
		key: ({purpose}) => customDraftKey(purpose),
		fields: written,
		parsed: read,
		described: ({isChange, expression, lines}) => ({
			name: isChange ? 'change of a custom rule' : 'custom rule',
			lines: [expression, lines.description].filter(text => text !== ''),
		}),
		async restore(zone, fields, signal) {
			const unread = await readList(zone, signal);
			const customRules = get().customRules.data;
			const there = !unread && customRules && wasRead(customRules) ? customRules : undefined;
			const purpose = purposeOf(fields);
			const now = there && purpose.kind === 'change' ? ruleIn(there, purpose.rule.id) : undefined;
			const hasChanged = now && purpose.kind === 'change' && !saysTheSame(now, purpose.rule);
			get().customRule.resume(purpose, zone, there?.ruleset, begun => {
				const then = restored(begun, fields);
				return atStep(hasChanged ? rebased(then, now, there?.ruleset) : then);
			});
			if (unread) return `The rules of ${zone.name} could not be read to compare: ${unread.message}`;
			if (there && purpose.kind === 'change' && !now)
				return 'The rule is gone: it was deleted since this was typed.';
			return hasChanged
				? 'The rule was changed since this was typed: what you changed is kept, the rest is as it is now.'
				: undefined;
		},
	});
};

function written(form: CustomForm): JsonObject {
	const {purpose, step, editing, action, skipped, about} = form;
	const base = purpose.kind === 'change' ? purpose.rule : purpose.copyOf;
	return {
		base: base ? ({...base, more: base.more ?? {}} as JsonObject) : null,
		isChange: purpose.kind === 'change',
		step,
		expression: expressionOf(editing),
		action: action ?? null,
		skipped,
		lines: Object.fromEntries(texts.map(row => [row, textOf(about[row])])),
		type: about.type,
		paused: about.paused,
		logged: about.logged,
		sent: isSent(form),
	};
}

/** The fields of a draft, or why they cannot be read. */
function read({fields}: Draft): CustomFields | string {
	const {isChange, step, expression, action, skipped, lines, type, paused, logged, sent} = fields;
	const known = customSteps.find(one => one === step);
	const base = baseRead(fields.base);
	if (
		base === undefined ||
		(isChange === true && base === null) ||
		typeof isChange !== 'boolean' ||
		known === undefined ||
		typeof expression !== 'string' ||
		(action !== null && typeof action !== 'string') ||
		!Array.isArray(skipped) ||
		!skipped.every(one => typeof one === 'string') ||
		!isJsonObject(lines) ||
		!texts.every(row => typeof lines[row] === 'string') ||
		typeof type !== 'string' ||
		typeof paused !== 'boolean' ||
		typeof logged !== 'boolean' ||
		typeof sent !== 'boolean'
	)
		return 'A field of the rule is missing, or of another kind.';
	return {
		base: base ?? undefined,
		isChange,
		step: known,
		expression,
		action: action ?? undefined,
		skipped,
		lines: lines as CustomFields['lines'],
		type,
		paused,
		logged,
		sent,
	};
}

/** The rule that it began with; `null` where it began with none, and `undefined` where that is damaged. */
function baseRead(json: JsonValue | undefined): RulesetRule | null | undefined {
	if (json === null) return null;
	if (!isJsonObject(json)) return undefined;
	const {more, ...rule} = json;
	try {
		return readRulesetRule({...rule, ...(isJsonObject(more) && more)});
	} catch (error) {
		if (isFailure(error)) return undefined;
		throw error;
	}
}

function purposeOf({base, isChange}: CustomFields): CustomPurpose {
	if (isChange && base?.id !== undefined) return {kind: 'change', rule: {...base, id: base.id}};
	return {kind: 'new', ...(base && {copyOf: base})};
}

const ruleIn = (there: CustomRulesState, id: string): RuleThere | undefined => {
	const rule = rulesOf(there).find(one => one.id === id);
	return rule && {...rule, id};
};

/** The form with its request, where that is what it shows. */
const atStep = (form: CustomForm): CustomForm =>
	form.step === 'review' ? {...form, ...reviewing(form)} : form;

function restored(begun: CustomForm, fields: CustomFields): CustomForm {
	const {step, expression, action, skipped, lines, type, paused, logged} = fields;
	return {
		...begun,
		step,
		editing: editingOf(expression, begun.zone),
		action,
		skipped,
		about: {
			...begun.about,
			place: lineOf(lines.place),
			description: lineOf(lines.description),
			status: lineOf(lines.status),
			body: lineOf(lines.body),
			type,
			paused,
			logged,
		},
	};
}
