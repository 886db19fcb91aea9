import {isJsonObject, type JsonObject, type JsonValue} from '../../text/json.ts';
import type {Edit} from './edits.ts';
import {type ExceptionDraft, isTexts, type Skips} from './exceptions.ts';
import {overrideActions, paranoiaLevels} from './mapping.ts';
import type {OverrideChange} from './override-edits.ts';

/** An edit as JSON, out of a file of ledge; `undefined` where it is not of a kind that this ledge makes. */
export function readEdit(json: JsonValue | undefined): Edit | undefined {
	if (!isJsonObject(json)) return undefined;
	const {kind, rule, enabled, ruleset, category, id, level, points, action, exception} = json;
	const change = changeIn(json);
	switch (kind) {
		case 'rule enabled':
			return isIndex(rule) && typeof enabled === 'boolean' ? {kind, rule, enabled} : undefined;
		case 'rule removed':
			return isIndex(rule) ? {kind, rule} : undefined;
		case 'ruleset override':
			return isText(ruleset) && change ? {kind, ruleset, ...change} : undefined;
		case 'category override':
			return isText(ruleset) && isText(category) && change ? {kind, ruleset, category, ...change} : undefined;
		case 'managed rule override':
			return isText(ruleset) && isText(id) && change ? {kind, ruleset, id, ...change} : undefined;
		case 'paranoia level': {
			const known = paranoiaLevels.find(one => one === level);
			return known && {kind, level: known};
		}
		case 'score threshold':
			return typeof points === 'number' ? {kind, points} : undefined;
		case 'threshold action': {
			const known = actionOf(action);
			return known && {kind, action: known};
		}
		case 'exception added': {
			const read = exceptionOf(exception);
			return read && {kind, exception: read};
		}
		case 'exception changed': {
			const read = exceptionOf(exception);
			return read && isIndex(rule) ? {kind, rule, exception: read} : undefined;
		}
		case 'ruleset deployed':
			return isText(ruleset) ? {kind, ruleset} : undefined;
		default:
			return undefined;
	}
}

/** What an exception skips, as JSON. */
export function readSkipped(json: JsonValue | undefined): Skips | undefined {
	if (!isJsonObject(json)) return undefined;
	const {kind, ids, rules} = json;
	if (kind === 'all') return {kind};
	if (kind === 'rulesets') return isTexts(ids) ? {kind, ids} : undefined;
	if (kind !== 'rules' || !isJsonObject(rules)) return undefined;
	const read = Object.entries(rules).flatMap(([ruleset, some]) =>
		isTexts(some) ? [[ruleset, some] as const] : [],
	);
	return read.length === Object.keys(rules).length ? {kind, rules: Object.fromEntries(read)} : undefined;
}

/** The edit as JSON. */
export const editAsJson = (edit: Edit): JsonObject => JSON.parse(JSON.stringify(edit)) as JsonObject;

const isText = (json: JsonValue | undefined): json is string => typeof json === 'string';

const isIndex = (json: JsonValue | undefined): json is number =>
	typeof json === 'number' && Number.isSafeInteger(json) && json >= 0;

const actionOf = (json: JsonValue | undefined) =>
	([...overrideActions, 'default'] as const).find(one => one === json);

function changeIn({action, enabled}: JsonObject): OverrideChange | undefined {
	const known = actionOf(action);
	const isOn: OverrideChange['enabled'] =
		enabled === 'default' ? enabled : typeof enabled === 'boolean' ? enabled : undefined;
	if ((action !== undefined && known === undefined) || (enabled !== undefined && isOn === undefined))
		return undefined;
	return {...(known !== undefined && {action: known}), ...(isOn !== undefined && {enabled: isOn})};
}

function exceptionOf(json: JsonValue | undefined): ExceptionDraft | undefined {
	if (!isJsonObject(json)) return undefined;
	const {expression, description, enabled, logging} = json;
	const skips = readSkipped(json.skips);
	if (!skips || !isText(expression)) return undefined;
	return {
		expression,
		skips,
		...(isText(description) && {description}),
		...(typeof enabled === 'boolean' && {enabled}),
		...(typeof logging === 'boolean' && {logging}),
	};
}
