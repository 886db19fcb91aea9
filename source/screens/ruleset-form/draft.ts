import type {DraftFinding} from '../../firewall/rules/checks.ts';
import {type CustomRuleSettings, withCustomRuleSettings} from '../../firewall/rules/custom-rule-settings.ts';
import {buildSkipParameters} from '../../firewall/rules/skip.ts';
import {
	buildEditRequest,
	computeRulesetEdit,
	insertAtPosition,
	type RulesetEdit,
} from '../../rulesets/edit.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {parseFigure} from '../../text/figures.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import type {WriteRequest} from '../write-flow/curl.ts';
import {type RateLimitTexts, withRateLimitTexts} from './limit-lines.ts';
import {buildRuleFields, type RulesetForm} from './state.ts';

/** Returns the rules of the zone as last read. */
export const getZoneRules = ({ruleset}: Pick<RulesetForm, 'ruleset'>): readonly RulesetRule[] =>
	ruleset?.rules ?? [];

/** Parses the typed position: from 1; undefined for the end; or the problem, in a sentence. */
export function parseTypedPosition({
	aboutFields,
	ruleset,
}: RulesetForm): number | undefined | {readonly problem: string} {
	const text = getBufferText(aboutFields.order).trim();
	if (text === '') return undefined;
	const lastPosition = getZoneRules({ruleset}).length + 1;
	const position = parseFigure(text) ?? 0;
	if (position >= 1 && position <= lastPosition) return position;
	return {
		problem: `The position must be a number from 1 to ${lastPosition}. Leave it empty to put the rule last.`,
	};
}

/**
 * Builds the entered response of a block rule: `none` if all fields are empty, undefined if it stays
 * unchanged.
 */
function buildResponse(form: RulesetForm): CustomRuleSettings['response'] {
	const {aboutFields, action, purpose} = form;
	if (action !== 'block') return undefined;
	const unchangedFields = buildRuleFields(
		purpose.kind === 'change' ? purpose.rule : purpose.copyOf,
		aboutFields.cursorRow,
	);
	const isTextUnchanged = (['status', 'body'] as const).every(
		row => getBufferText(aboutFields[row]) === getBufferText(unchangedFields[row]),
	);
	if (isTextUnchanged && aboutFields.type === unchangedFields.type) return undefined;
	const status = getBufferText(aboutFields.status).trim();
	const body = getBufferText(aboutFields.body);
	if (status === '' && body === '') return 'none';
	return {status: status === '' ? undefined : Number(status), type: aboutFields.type, body};
}

/** Builds the rule from the input; undefined without an action. */
export function buildFormRule(form: RulesetForm): RulesetRule | undefined {
	const {type, action, aboutFields, editing, purpose} = form;
	if (action === undefined) return undefined;
	const base = getBaseRule(form);
	const description = getBufferText(aboutFields.description);
	const isNew = purpose.kind === 'new';
	const newRule = withCustomRuleSettings(base, {
		expression: getTypedExpression(editing),
		action,
		...(description !== (base.description ?? '') && {description}),
		...(isNew || aboutFields.paused !== (base.enabled === false) ? {paused: aboutFields.paused} : {}),
		...(action === 'skip' && {skip: getChangedSkips(form)}),
		...(action === 'skip' && getChangedLogging(form, base)),
		response: buildResponse(form),
	});
	return type.listScreen === 'rateLimits' ? withRateLimitTexts(newRule, getRateLimitTexts(form)) : newRule;
}

/** Returns the typed lines of a rate limit. */
export const getRateLimitTexts = ({aboutFields}: RulesetForm): RateLimitTexts => ({
	requests: getBufferText(aboutFields.requests),
	period: getBufferText(aboutFields.period),
	characteristics: getBufferText(aboutFields.characteristics),
	timeout: getBufferText(aboutFields.timeout),
	counting: getBufferText(aboutFields.counting),
});

/** Returns the changed rule, or the copied one without its ids, or an empty one. */
function getBaseRule({purpose, action = 'block'}: RulesetForm): RulesetRule {
	if (purpose.kind === 'change') return purpose.rule;
	if (!purpose.copyOf) return {action, expression: ''};
	const {id, ref, ...copy} = purpose.copyOf;
	return copy;
}

/** Returns the chosen skips, or undefined if they are unchanged, so that skips unknown to ledge stay. */
const getChangedSkips = ({initial, chosenNames}: RulesetForm): readonly string[] | undefined =>
	initial.action === 'skip' && initial.skipped.join() === chosenNames.join() ? undefined : chosenNames;

function getChangedLogging({aboutFields}: RulesetForm, base: RulesetRule): Pick<CustomRuleSettings, 'log'> {
	const baseLogged = base.action === 'skip' ? (base.logging?.enabled ?? true) : undefined;
	return aboutFields.logged === baseLogged ? {} : {log: aboutFields.logged};
}

/** Builds the complete list of rules after the change. */
function buildNewRules(form: RulesetForm): readonly RulesetRule[] {
	const rule = buildFormRule(form);
	const rules = getZoneRules(form);
	if (!rule) return rules;
	if (form.purpose.kind === 'change') return rules.map(one => (one.id === rule.id ? rule : one));
	const position = parseTypedPosition(form);
	return insertAtPosition(rules, rule, typeof position === 'number' ? {index: position} : {after: ''});
}

/** Computes the edit that makes the change with one call; undefined if nothing would change. */
export const buildFormEdit = (form: RulesetForm): RulesetEdit | undefined =>
	computeRulesetEdit(getZoneRules(form), buildNewRules(form));

/** Builds the exact request to send; empty if nothing would change. */
export function buildRulesetFormRequests(form: RulesetForm): readonly WriteRequest[] {
	const edit = buildFormEdit(form);
	return edit
		? [{body: undefined, ...buildEditRequest(form.zone.id, form.type.phase, form.ruleset, edit)}]
		: [];
}

/** Checks the input before it is sent. Unchanged parts of an existing rule are not reported. */
export function listFormFindings(form: RulesetForm): readonly DraftFinding[] {
	const {type, purpose, action, editing} = form;
	const zone = {...form.zone, allowUnknown: true};
	const rule = buildFormRule(form);
	if (!rule) return [];
	if (purpose.kind === 'new') return type.check(rule, zone, {existingCount: getZoneRules(form).length});
	const isUnchanged = purpose.rule.expression === getTypedExpression(editing);
	return type
		.check(rule, zone)
		.filter(
			({about}) =>
				(about !== 'expression' || !isUnchanged) && (about !== 'action' || action !== purpose.rule.action),
		);
}

const findErrorSentence = (
	rule: RulesetRule,
	{type, zone}: RulesetForm,
	about: DraftFinding['about'],
): string | undefined =>
	type.check(rule, zone).find(one => one.about === about && one.severity === 'error')?.sentence;

/**
 * Explains why an action is unavailable in this zone; undefined if it is available. The rule's own action
 * always is.
 */
export function getFormActionRefusal(form: RulesetForm, action: string): string | undefined {
	if (form.purpose.kind === 'change' && form.purpose.rule.action === action) return undefined;
	// `ssl` stands for any valid expression.
	return findErrorSentence({action, expression: 'ssl'}, form, 'action');
}

/**
 * Explains why `name` cannot be skipped in this zone; undefined if it can. Names that the rule already skips
 * are always allowed.
 */
export function getSkipRefusal(form: RulesetForm, name: string): string | undefined {
	if (form.initial.skipped.includes(name)) return undefined;
	// `ssl` stands for any valid expression.
	const rule = {action: 'skip', expression: 'ssl', action_parameters: buildSkipParameters([name])};
	return findErrorSentence(rule, form, 'products');
}

/** Finds the neighbours of the rule in the order of evaluation. `position` counts from 1. */
export function findFormNeighbours(form: RulesetForm): {
	readonly previous: RulesetRule | undefined;
	readonly next: RulesetRule | undefined;
	readonly position: number;
	readonly count: number;
} {
	const {purpose} = form;
	const ownId = purpose.kind === 'change' ? purpose.rule.id : undefined;
	const newRules = buildNewRules(form);
	// Only a new rule has no id.
	const index = newRules.findIndex(({id}) => id === ownId);
	return {
		previous: newRules[index - 1],
		next: newRules[index + 1],
		position: index + 1,
		count: newRules.length,
	};
}

/** Lists the reasons to require the zone's name before sending, in sentences. */
export const listFormZoneNameReasons = (form: RulesetForm): readonly string[] =>
	form.type.findZoneNameReasons(form.zone, getZoneRules(form), buildNewRules(form));
