import type {JsonValue} from '../../text/json.ts';
import {type Answer, isEnvelope, Refusal, refuse, slowDown} from '../http/answer.ts';
import {editLimit} from '../http/edit-limit.ts';
import {readJson} from '../http/json-request.ts';
import type {Ask, Route} from '../http/route.ts';
import {zoneRulesets} from './zone-rulesets.ts';

/**
 * Creates a handler that changes rulesets in one transaction. With `dry_run=true` it checks everything,
 * changes nothing, and the result is null.
 */
export const changing =
	(change: (ask: Ask, body: JsonValue | undefined) => Answer): Route['answer'] =>
	async ask => {
		const dry = readDryRun(ask.query);
		const body = await readJson(ask);
		if (!dry) refuseCrowd(ask);
		return ask.world.transaction(() => {
			const answer = change(ask, body);
			// The exception rolls the transaction back.
			if (dry) throw new Refusal(withoutResult(answer));
			return answer;
		});
	};

/** Refuses an edit while another one of the ruleset is running, or after too many. */
function refuseCrowd(ask: Ask): void {
	const {zone = '', ruleset: named, phase: ofPhase} = ask.parameters;
	const {rulesets} = zoneRulesets(ask);
	const found = named === undefined ? rulesets.ofPhase(ofPhase ?? '') : rulesets.get(named);
	const phase = found?.phase ?? ofPhase;
	if (phase === undefined) return;
	const crowd = ask.quirks.crowd({zone, phase, ...(found && {id: found.id})});
	if (!crowd) return;
	const ruleset = found ? `the ruleset ${found.id}` : `the entry point of the phase ${phase}`;
	const why =
		crowd.cause === 'busy'
			? `another edit of ${ruleset} is under way`
			: `there were ${editLimit.edits} edits of ${ruleset} in ${editLimit.seconds} seconds`;
	const headers = {'retry-after': String(crowd.seconds)};
	refuse(429, {...slowDown, message: `${slowDown.message}: ${why}`}, headers);
}

function readDryRun(query: URLSearchParams): boolean {
	const given = query.get('dry_run');
	if (given !== null && given !== 'true') refuse(400, {message: 'dry_run must be true'});
	return given !== null;
}

const withoutResult = (answer: Answer): Answer =>
	isEnvelope(answer.body) ? {...answer, body: {...answer.body, result: null}} : answer;
