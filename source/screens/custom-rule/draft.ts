import type {Finding} from '../../firewall/rules/checks.ts';
import {checkCustomRule} from '../../firewall/rules/custom-checks.ts';
import {type CustomSettings, withSettings} from '../../firewall/rules/custom-rule-settings.ts';
import {findCustomRuleReasons} from '../../firewall/rules/name-reasons.ts';
import {skipParameters} from '../../firewall/rules/skip.ts';
import {editRequest, editTo, inPlace, type RulesetEdit} from '../../rulesets/edit.ts';
import {customPhase, type RulesetRule} from '../../rulesets/ruleset.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {parseFigure} from '../../text/figures.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import type {WriteRequest} from '../write-flow/curl.ts';
import {type CustomForm, linesOfRule} from './state.ts';

/** The rules of the zone, as they were read last. */
export const rulesThere = ({ruleset}: Pick<CustomForm, 'ruleset'>): readonly RulesetRule[] =>
	ruleset?.rules ?? [];

/** A place as it was typed: counted from 1, `undefined` for the end; a sentence where it is neither. */
export function placeOf({about, ruleset}: CustomForm): number | undefined | {readonly problem: string} {
	const typed = textOf(about.order).trim();
	if (typed === '') return undefined;
	const last = rulesThere({ruleset}).length + 1;
	const place = parseFigure(typed) ?? 0;
	if (place >= 1 && place <= last) return place;
	return {problem: `A place is a number from 1 to ${last}. Leave it empty for the last.`};
}

/** What of the answer was typed; `none` where nothing was, `undefined` where it stays as it is. */
function answerOf(form: CustomForm): CustomSettings['answer'] {
	const {about, action, purpose} = form;
	if (action !== 'block') return undefined;
	const before = linesOfRule(purpose.kind === 'change' ? purpose.rule : purpose.copyOf, about.row);
	const isSame = (['status', 'body'] as const).every(row => textOf(about[row]) === textOf(before[row]));
	if (isSame && about.type === before.type) return undefined;
	const status = textOf(about.status).trim();
	const body = textOf(about.body);
	if (status === '' && body === '') return 'none';
	return {status: status === '' ? undefined : Number(status), type: about.type, body};
}

/** The rule as it will be; `undefined` while it has no action. */
export function ruleOf(form: CustomForm): RulesetRule | undefined {
	const {action, about, editing, purpose} = form;
	if (action === undefined) return undefined;
	const base = baseOf(form);
	const description = textOf(about.description);
	const isNew = purpose.kind === 'new';
	return withSettings(base, {
		expression: expressionOf(editing),
		action,
		...(description !== (base.description ?? '') && {description}),
		...(isNew || about.paused !== (base.enabled === false) ? {paused: about.paused} : {}),
		...(action === 'skip' && {skip: skippedAnew(form)}),
		...(action === 'skip' && logsAnew(form, base)),
		answer: answerOf(form),
	});
}

/** What the rule is made from: the changed or copied rule, else nothing. */
function baseOf({purpose, action = 'block'}: CustomForm): RulesetRule {
	if (purpose.kind === 'change') return purpose.rule;
	if (!purpose.copyOf) return {action, expression: ''};
	const {id, ref, ...copy} = purpose.copyOf;
	return copy;
}

/** What is skipped, where that is not what the rule skips already: what ledge has no name for stays then. */
const skippedAnew = ({begun, chosen}: CustomForm): readonly string[] | undefined =>
	begun.action === 'skip' && begun.skipped.join() === chosen.join() ? undefined : chosen;

function logsAnew({about}: CustomForm, base: RulesetRule): Pick<CustomSettings, 'log'> {
	const logged = base.action === 'skip' ? (base.logging?.enabled ?? true) : undefined;
	return about.logged === logged ? {} : {log: about.logged};
}

/** All rules as they will be. */
function wantedRules(form: CustomForm): readonly RulesetRule[] {
	const rule = ruleOf(form);
	const rules = rulesThere(form);
	if (!rule) return rules;
	if (form.purpose.kind === 'change') return rules.map(one => (one.id === rule.id ? rule : one));
	const place = placeOf(form);
	return inPlace(rules, rule, typeof place === 'number' ? {index: place} : {after: ''});
}

/** The one call that makes it so; `undefined` where nothing would change. */
export const editOf = (form: CustomForm): RulesetEdit | undefined =>
	editTo(rulesThere(form), wantedRules(form));

/** Exactly what will be sent; nothing where nothing would change. */
export function requestsOf(form: CustomForm): readonly WriteRequest[] {
	const edit = editOf(form);
	return edit ? [{body: undefined, ...editRequest(form.zone.id, customPhase, form.ruleset, edit)}] : [];
}

/** What can be said against it before anything is sent; never against what exists already and stays. */
export function findingsOf(form: CustomForm): readonly Finding[] {
	const {purpose, zone, action, editing} = form;
	const rule = ruleOf(form);
	if (!rule) return [];
	if (purpose.kind === 'new') return checkCustomRule(rule, zone, {count: rulesThere(form).length});
	const stays = purpose.rule.expression === expressionOf(editing);
	return checkCustomRule(rule, zone).filter(
		({about}) => (about !== 'expression' || !stays) && (about !== 'action' || action !== purpose.rule.action),
	);
}

const refusal = (rule: RulesetRule, {zone}: CustomForm, about: Finding['about']): string | undefined =>
	checkCustomRule(rule, zone).find(one => one.about === about && one.severity === 'error')?.sentence;

/** Why an action cannot be chosen in this zone; `undefined` when it can. The action of the rule itself always can. */
export function whyNotAction(form: CustomForm, action: string): string | undefined {
	if (form.purpose.kind === 'change' && form.purpose.rule.action === action) return undefined;
	return refusal({action, expression: 'ssl'}, form, 'action');
}

/** Why something cannot be skipped in this zone. What the rule skips already always can. */
export function whyNotSkip(form: CustomForm, name: string): string | undefined {
	if (form.begun.skipped.includes(name)) return undefined;
	const rule = {action: 'skip', expression: 'ssl', action_parameters: skipParameters([name])};
	return refusal(rule, form, 'products');
}

/** The rules that it will stand between. */
export function neighboursOf(form: CustomForm): {
	readonly before: RulesetRule | undefined;
	readonly after: RulesetRule | undefined;
	readonly place: number;
	readonly of: number;
} {
	const {purpose} = form;
	const own = purpose.kind === 'change' ? purpose.rule.id : undefined;
	const wanted = wantedRules(form);
	const at = wanted.findIndex(({id}) => id === own);
	return {before: wanted[at - 1], after: wanted[at + 1], place: at + 1, of: wanted.length};
}

/** Why sending it needs the zone's name, in sentences. */
export const nameReasonsOf = (form: CustomForm): readonly string[] =>
	findCustomRuleReasons(form.zone, rulesThere(form), wantedRules(form));
