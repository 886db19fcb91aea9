import {type Failure, isFailure} from '../../failure.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {readFilter} from '../../firewall/rules/filters.ts';
import type {Rule} from '../../firewall/rules/rule.ts';
import {readRule} from '../../firewall/rules/rules.ts';
import {usersOf} from '../../firewall/rules/users.ts';
import type {Draft} from '../../state/drafts.ts';
import {bufferOf, textOf} from '../../text/buffer/buffer.ts';
import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {FormCreator} from '../drafts/form.ts';
import {editingOf, expressionOf} from '../expression-editor/editing.ts';
import type {FirewallState, OpenedZone} from '../firewall/state.ts';
import {wasRead} from '../shell/rereading.ts';
import {isSent, keptForm} from '../stepped-form/draft-form.ts';
import {isUnused} from './ending.ts';
import {reviewing} from './requests.ts';
import {isTouched, stepsOf, type Wizard, type WizardPurpose, type WizardStep} from './state.ts';

/** All that a person entered, as it is kept. */
type RuleFields = {
	readonly purpose: WizardPurpose['kind'];
	/** The rule or filter that is changed, or the filter of a new rule, as it was when the form was opened. */
	readonly base: Rule | Filter | undefined;
	readonly step: WizardStep;
	readonly expression: string;
	readonly filter: Wizard['filter'];
	readonly action: string | undefined;
	readonly products: readonly string[];
	readonly priority: string;
	readonly description: string;
	readonly paused: boolean;
	readonly left: string | undefined;
	readonly own: Wizard['own'];
	/** Whether it was sent, and what became of it was not known. */
	readonly sent: boolean;
};

/** Which of several drafts of a zone: the rule or filter that is changed, or that it is a new one. */
export function ruleDraftKey(purpose: WizardPurpose): string {
	switch (purpose.kind) {
		case 'new rule':
			return purpose.filter ? `new rule on ${purpose.filter.id}` : purpose.kind;
		case 'new filter':
			return purpose.kind;
		case 'change rule':
			return `${purpose.kind} ${purpose.rule.id}`;
		case 'change filter':
			return `${purpose.kind} ${purpose.filter.id}`;
		default:
			return purpose satisfies never;
	}
}

/** The rule wizard as a form that keeps drafts: until what was entered is in force, or discarded. */
export const createWizardForm: FormCreator = (get, ports) => {
	/** Reads what exists in the zone; returns why it cannot be read. */
	async function readLists(of: OpenedZone, signal: AbortSignal): Promise<Failure | undefined> {
		get().firewall.open(of);
		try {
			await get().firewall.load(signal);
			return undefined;
		} catch (error) {
			if (signal.aborted || !isFailure(error)) throw error;
			return error;
		}
	}

	return keptForm<Wizard, RuleFields>(get, ports, {
		form: {kind: 'rule', version: 1},
		screen: 'wizard',
		noun: 'wizard',
		list: 'firewall',
		read: state => state.wizard.data,
		isOver: ({phase}) => phase.name === 'ended' && !isUnused(phase.ending),
		isTouched,
		key: ({purpose}) => ruleDraftKey(purpose),
		fields: written,
		parsed: read,
		described: ({purpose, expression, description}) => ({
			name: names[purpose],
			lines: [expression, description].filter(text => text !== ''),
		}),
		async restore(zone, fields, signal) {
			const unread = await readLists(zone, signal);
			const there = unread ? undefined : get().firewall.data;
			get().wizard.resume(purposeOf(fields, there), zone, begun => restored(begun, fields));
			return unread
				? `The rules of ${zone.name} could not be read to compare: ${unread.message}`
				: changedSince(fields, there, there && baseIn(there, fields));
		},
	});
};

const names: Readonly<Record<WizardPurpose['kind'], string>> = {
	'new rule': 'rule',
	'new filter': 'filter',
	'change rule': 'change of a rule',
	'change filter': 'change of a filter',
};

/** What the wizard was opened for, as it was then: sending compares it with what exists. */
const baseOf = (purpose: WizardPurpose): Rule | Filter | undefined =>
	'rule' in purpose ? purpose.rule : 'filter' in purpose ? purpose.filter : undefined;

const filterFields = ({id, expression, paused, description, ref}: Filter): JsonObject => ({
	id,
	expression,
	paused,
	description: description ?? null,
	ref: ref ?? null,
});

const ruleFields = (rule: Rule): JsonObject => ({
	id: rule.id,
	paused: rule.paused,
	action: rule.action,
	priority: rule.priority,
	filter: 'deleted' in rule.filter ? {id: rule.filter.id, deleted: true} : filterFields(rule.filter),
	products: rule.products ?? [],
	description: rule.description ?? null,
	ref: rule.ref ?? null,
});

const fieldsOfBase = (base: Rule | Filter): JsonObject =>
	'action' in base ? ruleFields(base) : filterFields(base);

function written(wizard: Wizard): JsonObject {
	const {purpose, step, editing, filter, action, products, about, left, own} = wizard;
	const base = baseOf(purpose);
	return {
		purpose: purpose.kind,
		base: base ? fieldsOfBase(base) : null,
		step,
		expression: expressionOf(editing),
		filter: filter ? {id: filter.id, expression: filter.expression ?? null} : null,
		action: action ?? null,
		products,
		priority: textOf(about.priority),
		description: textOf(about.description),
		paused: about.paused,
		left: left ?? null,
		own: own ?? null,
		sent: isSent(wizard),
	};
}

/** The fields of a draft, or why they cannot be read. */
function read({fields}: Draft): RuleFields | string {
	const {purpose, step, expression, action, products, priority, description, paused, left, sent} = fields;
	const kind = (Object.keys(names) as WizardPurpose['kind'][]).find(one => one === purpose);
	const known = (['expression', 'action', 'about', 'review'] as const).find(one => one === step);
	const base = baseRead(kind, fields.base);
	const filter = filterOf(fields.filter);
	const own = ownOf(fields.own);
	if (
		kind === undefined ||
		known === undefined ||
		base === undefined ||
		filter === undefined ||
		own === undefined ||
		typeof expression !== 'string' ||
		!isTextOrNull(action) ||
		!Array.isArray(products) ||
		!products.every(one => typeof one === 'string') ||
		typeof priority !== 'string' ||
		typeof description !== 'string' ||
		typeof paused !== 'boolean' ||
		!isTextOrNull(left) ||
		typeof sent !== 'boolean'
	)
		return 'A field of the rule is missing, or of another kind.';
	return {
		purpose: kind,
		base: base ?? undefined,
		step: known,
		expression,
		filter: filter ?? undefined,
		action: action ?? undefined,
		products,
		priority,
		description,
		paused,
		left: left ?? undefined,
		own: own ?? undefined,
		sent,
	};
}

const isTextOrNull = (json: JsonValue | undefined): json is string | null =>
	json === null || typeof json === 'string';

/** What it was opened for; `null` where that is nothing, and `undefined` where it is damaged. */
function baseRead(
	kind: WizardPurpose['kind'] | undefined,
	json: JsonValue | undefined,
): Rule | Filter | null | undefined {
	const isChange = kind === 'change rule' || kind === 'change filter';
	if (json === null) return isChange ? undefined : null;
	if (!isJsonObject(json)) return undefined;
	try {
		return kind === 'change rule' ? readRule(json) : readFilter(json);
	} catch (error) {
		if (isFailure(error)) return undefined;
		throw error;
	}
}

function filterOf(json: JsonValue | undefined): NonNullable<Wizard['filter']> | null | undefined {
	if (json === null) return null;
	if (!isJsonObject(json) || typeof json.id !== 'string' || !isTextOrNull(json.expression)) return undefined;
	return {id: json.id, ...(json.expression !== null && {expression: json.expression})};
}

function ownOf(json: JsonValue | undefined): NonNullable<Wizard['own']> | null | undefined {
	if (json === null) return null;
	if (!isJsonObject(json) || typeof json.id !== 'string' || typeof json.made !== 'boolean') return undefined;
	return {id: json.id, made: json.made};
}

/** The rule or filter as it is now. */
const baseIn = ({rules, filters}: FirewallState, {base}: RuleFields): Rule | Filter | undefined =>
	base && ('action' in base ? rules : filters).find(({id}) => id === base.id);

function purposeOf({purpose, base}: RuleFields, there: FirewallState | undefined): WizardPurpose {
	switch (purpose) {
		case 'new filter':
			return {kind: purpose};
		case 'change rule':
			return base && 'action' in base ? {kind: purpose, rule: base} : {kind: 'new rule'};
		case 'change filter':
			return base && 'expression' in base
				? {kind: purpose, filter: base, users: usersOf(base.id, there?.rules ?? [])}
				: {kind: 'new filter'};
		case 'new rule':
			return {kind: purpose, ...(base && 'expression' in base && {filter: base})};
		default:
			return purpose satisfies never;
	}
}

/** What of it has changed since it was typed; sending finds that out again, and sends nothing over it. */
function changedSince(
	{base, filter}: RuleFields,
	there: FirewallState | undefined,
	now: Rule | Filter | undefined,
): string | undefined {
	if (!there || !wasRead(there)) return undefined;
	if (base) {
		const what = 'action' in base ? 'rule' : 'filter';
		if (!now) return `The ${what} is gone: it was deleted since this was typed.`;
		if (JSON.stringify(fieldsOfBase(now)) !== JSON.stringify(fieldsOfBase(base)))
			return `The ${what} was changed since this was typed: nothing is written over it without asking.`;
	}
	return filter && !there.filters.some(({id}) => id === filter.id)
		? `The filter ${filter.id} is gone: it was deleted since this was typed.`
		: undefined;
}

function restored(begun: Wizard, fields: RuleFields): Wizard {
	const {step, expression, filter, action, products, priority, description, paused, left, own} = fields;
	const lineOf = (text: string) => bufferOf(text, {singleLine: true});
	const wizard: Wizard = {
		...begun,
		editing: editingOf(expression, begun.zone),
		filter,
		action,
		products,
		about: {
			...begun.about,
			priority: lineOf(priority),
			description: lineOf(description),
			paused,
		},
		left,
		own,
	};
	const at = stepsOf(wizard.purpose).includes(step) ? step : wizard.step;
	return at === 'review' ? {...wizard, ...reviewing(wizard)} : {...wizard, step: at};
}
