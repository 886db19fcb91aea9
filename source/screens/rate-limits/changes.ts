import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {formatRate, parseRateLimit} from '../../firewall/rules/rate-limit.ts';
import {formatRuleName} from '../../firewall/rules/users.ts';
import type {RulesetRule} from '../../rulesets/ruleset.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import {toDrawable} from '../../text/columns.ts';
import {cutEnd} from '../../text/cut.ts';
import {describeStartEffect, describeStopEffect} from '../firewall/effects.ts';
import {buildRulesetActions, getWriteBlockedReason} from '../rulesets/actions.ts';
import type {Action, App} from '../shell/app.ts';
import {type PositionedLimit, rateLimitList} from './state.ts';

const {defineAction, isActive} = rateLimitList;

/** Explains why rate limits cannot be changed here; undefined if they can. */
const getBlockedReason = (
	state: StateWith<'rateLimits' | 'connection'> & StateWith<'work', 'list'>,
): string | undefined => getWriteBlockedReason(state, state.rateLimits.data, 'rate limits');

const isSelectedOff = ({rateLimits: {data}}: StateWith<'rateLimits'>): boolean =>
	rateLimitList.getSelected(data)?.rule.enabled === false;

/** Describes a rate limit for a dialog: its position, action and rate, and its expression. */
const describeRateLimit = ({rule, position}: PositionedLimit): readonly string[] => [
	`rate limit ${position} (${toDrawable(formatCustomRuleAction(rule))}): ${formatRate(parseRateLimit(rule)) ?? 'limit unknown'}${rule.description ? `, ${cutEnd(toDrawable(rule.description), 160)}` : ''}`,
	cutEnd(toDrawable(rule.expression), 400),
];

const formatName = (rule: RulesetRule): string =>
	formatRuleName({...rule, id: rule.id ?? '', action: formatCustomRuleAction(rule)});

/** Turns the rate limit under the cursor off, or on again, after a question. */
function togglePause({state}: App, limit: PositionedLimit): void {
	const {data, plan, write} = state().rateLimits;
	const {rule} = limit;
	const isPausing = rule.enabled !== false;
	write(
		{
			plan: plan(
				(data?.ruleset?.rules ?? []).map(one => (one.id === rule.id ? {...one, enabled: !isPausing} : one)),
			),
			label: `${isPausing ? 'pausing' : 'resuming'} rate limit ${rule.id}`,
			auditLabel: `${isPausing ? 'pause' : 'resume'} rate limit ${rule.id}`,
			describeEffect: () => `The rate limit is ${isPausing ? 'off' : 'on again'}: ${formatName(rule)}.`,
			unknownOutcome: `whether the rate limit is ${isPausing ? 'off' : 'on again'}`,
		},
		{
			title: `${isPausing ? 'Pause' : 'Resume'} rate limit ${limit.position}?`,
			lines: [
				...describeRateLimit(limit),
				(isPausing ? describeStopEffect : describeStartEffect)({action: rule.action}),
			],
			actionLabel: `${isPausing ? 'pause' : 'resume'} rate limit`,
		},
	);
}

function deleteRateLimit({state}: App, limit: PositionedLimit): void {
	const {data, plan, write} = state().rateLimits;
	const {rule} = limit;
	write(
		{
			plan: plan((data?.ruleset?.rules ?? []).filter(({id}) => id !== rule.id)),
			label: `deleting rate limit ${rule.id}`,
			auditLabel: `delete rate limit ${rule.id}`,
			describeEffect: () => `Rate limit deleted: ${formatName(rule)}.`,
			unknownOutcome: 'whether the rate limit was deleted',
		},
		{
			title: `Delete rate limit ${limit.position}?`,
			lines: [
				...describeRateLimit(limit),
				rule.enabled === false
					? 'It is off and currently has no effect.'
					: describeStopEffect({action: rule.action}),
				'To undo: press u right afterwards, or V (earlier versions) at any time.',
			],
			actionLabel: 'delete rate limit',
		},
	);
}

/** The actions that change rate limits, undo a change, and show earlier versions. */
export const rateLimitChanges: readonly Action[] = [
	defineAction('limits.pause', ['p'], 'pause the rate limit', {
		effect: 'writes',
		hint: 'pause',
		searchTerms: ['disable', 'pause'],
		isActive: state => isActive(state) && !isSelectedOff(state),
		...rateLimitList.withCurrentRow(togglePause, getBlockedReason),
	}),
	defineAction('limits.resume', ['p'], 'resume the rate limit', {
		effect: 'writes',
		hint: 'resume',
		searchTerms: ['enable', 'resume'],
		isActive: state => isActive(state) && isSelectedOff(state),
		...rateLimitList.withCurrentRow(togglePause, getBlockedReason),
	}),
	defineAction('limits.delete', ['d'], 'delete the rate limit', {
		effect: 'writes',
		hint: 'delete',
		searchTerms: ['remove'],
		isDestructive: true,
		...rateLimitList.withCurrentRow(deleteRateLimit, getBlockedReason),
	}),
	...buildRulesetActions({
		rulesNoun: 'rate limits',
		screen: 'rateLimits',
		ids: {versions: 'limits.versions', undo: 'limits.undo'},
		group: 'Rate limits',
		where: ['rateLimits'],
		isActive,
		isUndoActive: isActive,
		getOpenedRules: ({rateLimits: {data}}) => data,
		getBlockedReason,
	}),
];
