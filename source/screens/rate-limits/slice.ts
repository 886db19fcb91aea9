import {Failure} from '../../failure.ts';
import {formatRulesCommand} from '../../firewall/commands.ts';
import {formatCustomRuleAction} from '../../firewall/rules/custom-rule-words.ts';
import {formatRate, parseRateLimit} from '../../firewall/rules/rate-limit.ts';
import {findRateLimitReductions} from '../../rule-files/reductions.ts';
import {changeRuleset} from '../../rulesets/change.ts';
import {describeRuleChange} from '../../rulesets/change-words.ts';
import {computeRulesetEdit} from '../../rulesets/edit.ts';
import {type Ruleset, type RulesetRule, rateLimitPhase} from '../../rulesets/ruleset.ts';
import type {Slice} from '../../store/slice.ts';
import {createZoneRows, type ZoneListSlice} from '../list/slice.ts';
import {createRulesetWrites, type RulesetPlan, type RulesetWrites} from '../rulesets/writes.ts';
import {type RateLimitsState, rateLimitList} from './state.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly rateLimits: RateLimitsSlice;
	}
}

type RateLimitsSlice = ZoneListSlice<RateLimitsState> &
	RulesetWrites<RateLimitsState> & {
		/** Shows the rate limits after a read or a write. */
		show(zoneId: string, ruleset: Ruleset | undefined): void;
		/** Plans the change from the shown rate limits to `newRules`. */
		plan(newRules: readonly RulesetRule[]): RulesetPlan;
	};

/** The rate limits of a zone, and their writes. */
export const createRateLimitsSlice: Slice<RateLimitsSlice> = (set, get, ports) => {
	const rows = createZoneRows(rateLimitList, {ruleset: undefined}, set, get, ports);

	function plan(newRules: readonly RulesetRule[]): RulesetPlan {
		const {data} = get().rateLimits;
		if (!data) throw new Failure('internal', 'No zone is open.');
		const {zone, ruleset: baseline} = data;
		const currentRules = baseline?.rules ?? [];
		const edit = computeRulesetEdit(currentRules, newRules);
		const inspectCommand = formatRulesCommand(zone, ['list', '--rate-limits']);
		return {
			zone,
			ruleset: baseline,
			zoneNameReasons: findRateLimitReductions(currentRules, newRules),
			send:
				edit &&
				((client, _typedZoneName, signal) =>
					changeRuleset(
						client,
						{zoneId: zone.id, phase: rateLimitPhase, baseline, edit, inspectCommand},
						{signal},
					)),
		};
	}

	const show = (zoneId: string, ruleset: Ruleset | undefined) => {
		if (get().rateLimits.data?.zone.id !== zoneId) return;
		rows.show({rows: (ruleset?.rules ?? []).map((rule, index) => ({rule, position: index + 1})), ruleset});
	};
	const writes = createRulesetWrites<RateLimitsState>(get, ports.session, {
		rulesNoun: 'rate limits',
		screenName: 'rateLimits',
		getOpenedRules: () => get().rateLimits.data,
		plan,
		describeChange: describeRuleChange,
		describeRule: rule =>
			`${formatCustomRuleAction(rule)} over ${formatRate(parseRateLimit(rule)) ?? 'an unknown limit'} where ${rule.expression}${rule.enabled === false ? ', off' : ''}`,
		show(zoneId, current) {
			show(zoneId, current);
			get().rateLimits.unmark();
		},
		showConcurrentChange(zoneId, current) {
			show(zoneId, current);
			return 'The list now shows the current rate limits: make your change again.';
		},
		load: signal => get().rateLimits.load(signal),
		markStale: () => get().rateLimits.markStale(),
	});
	return {
		...rows.members,
		...writes,
		plan,
		show,
		async load(signal) {
			const zoneId = get().rateLimits.data?.zone.id;
			if (zoneId === undefined) return;
			const {readRateLimitRuleset} = await import('../../firewall/rules/rate-limit.ts');
			await rows.read(
				signal,
				async () => readRateLimitRuleset(await ports.session.client(), zoneId, signal),
				ruleset => show(zoneId, ruleset),
			);
		},
	};
};
