import type {JsonObject} from '../../text/json.ts';
import {isJsonObject} from '../../text/json.ts';
import {planNames} from '../accounts/plan.ts';
import {type Answer, done, refused} from '../http/answer.ts';
import {objectsOf, readJson} from '../http/json-request.ts';
import type {Ask} from '../http/route.ts';
import {type Firewall, firewallOf} from './addressed.ts';
import {isCombined} from './combined.ts';
import {rulesByPlan} from './limits.ts';
import {type GivenSettings, lacking, readSettings} from './rule-settings.ts';
import {readFilter, type StoredFilter} from './stored-filters.ts';
import {shownRule} from './stored-rules.ts';
import {invalid, readId} from './texts.ts';

/** A rule of a request, with the existing filter it names or the new one created for it. */
type Resolved = {readonly settings: GivenSettings; readonly filter: StoredFilter; readonly made: boolean};

/**
 * Creates all rules of the body or none. Invalid input changes nothing; but filters are created before rules,
 * so if the plan lacks the action or has no room for the rules, the new filters remain.
 */
export async function createRules(ask: Ask): Promise<Answer> {
	const given = objectsOf(await readJson(ask), 'firewall rules');
	const settings = given.map((item, index) => readSettings(item, `rule at index ${index}`));
	const firewall = firewallOf(ask);
	return ask.world.transaction(() => {
		const resolved = settings.map((one, index) => ({
			settings: one,
			...filterFor(firewall, given[index] ?? {}, index),
		}));
		const obstacle = lackedByPlan(firewall, resolved) ?? overQuota(firewall, resolved.length);
		if (obstacle !== undefined) return refused(403, {message: obstacle}, {}, leftOver(resolved));
		return done(
			resolved.map(({settings: one, filter}) =>
				shownRule(firewall.rules.add({...one, filter: filter.id}), firewall.filters),
			),
		);
	});
}

function filterFor({filters}: Firewall, rule: JsonObject, index: number): Omit<Resolved, 'settings'> {
	const where = `rule at index ${index}`;
	const {filter: given} = rule;
	if (!isJsonObject(given)) return invalid(where, 'filter is required');
	if (isCombined(rule)) {
		const filter = filters.add(readFilter(given, `filter at index ${index}`), {
			code: 10202,
			message: `config duplicates an already existing config: filter at index ${index}`,
		});
		return {filter, made: true};
	}
	const id = readId(given.id, `filter of the ${where}`);
	const filter = filters.get(id) ?? invalid(where, `there is no filter ${id}`);
	return {filter, made: false};
}

function lackedByPlan({plan}: Firewall, resolved: readonly Resolved[]): string | undefined {
	for (const {settings} of resolved) {
		const what = lacking(settings, plan);
		if (what !== undefined) return what;
	}
	return undefined;
}

function overQuota({plan, rules}: Firewall, added: number): string | undefined {
	const there = rules.all().length;
	const most = rulesByPlan[plan];
	if (there + added <= most) return undefined;
	return `The ${planNames[plan]} plan allows ${most} firewall rules in a zone: there are ${there}, and ${added} more were asked for.`;
}

const leftOver = (resolved: readonly Resolved[]) =>
	resolved
		.filter(({made}) => made)
		.map(({filter}) => ({
			message: `The filter ${filter.id} was created, its firewall rule was not.`,
			meta: {id: filter.id},
		}));
