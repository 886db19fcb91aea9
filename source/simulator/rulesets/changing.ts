import type {JsonValue} from '../../text/json.ts';
import {isEnvelope, Refusal, refuseRequest, type ServiceAnswer, slowDown} from '../http/answer.ts';
import {editLimit} from '../http/edit-limit.ts';
import {readJsonBody} from '../http/json-request.ts';
import type {RequestContext, Route} from '../http/route.ts';
import {getZoneRulesets} from './zone-rulesets.ts';

/**
 * Creates a handler that changes rulesets in one transaction. With `dry_run=true` it checks everything,
 * changes nothing, and the result is null.
 */
export const createChangeHandler =
	(change: (context: RequestContext, body: JsonValue | undefined) => ServiceAnswer): Route['answer'] =>
	async context => {
		const isDryRun = readDryRun(context.query);
		const body = await readJsonBody(context);
		if (!isDryRun) refuseEditConflict(context);
		return context.world.transaction(() => {
			const answer = change(context, body);
			// The exception rolls the transaction back.
			if (isDryRun) throw new Refusal(omitResult(answer));
			return answer;
		});
	};

/** Refuses an edit while another one of the ruleset is running, or after too many. */
function refuseEditConflict(context: RequestContext): void {
	const {zone = '', ruleset: rulesetId, phase: pathPhase} = context.parameters;
	const {rulesets} = getZoneRulesets(context);
	const found = rulesetId === undefined ? rulesets.findByPhase(pathPhase ?? '') : rulesets.get(rulesetId);
	const phase = found?.phase ?? pathPhase;
	if (phase === undefined) return;
	const conflict = context.quirks.checkEdit({zone, phase, ...(found && {id: found.id})});
	if (!conflict) return;
	const ruleset = found ? `the ruleset ${found.id}` : `the entry point of the phase ${phase}`;
	const why =
		conflict.cause === 'busy'
			? `another edit of ${ruleset} is under way`
			: `there were ${editLimit.edits} edits of ${ruleset} in ${editLimit.seconds} seconds`;
	const headers = {'retry-after': String(conflict.seconds)};
	refuseRequest(429, {...slowDown, message: `${slowDown.message}: ${why}`}, headers);
}

function readDryRun(query: URLSearchParams): boolean {
	const given = query.get('dry_run');
	if (given !== null && given !== 'true') refuseRequest(400, {message: 'dry_run must be true'});
	return given !== null;
}

const omitResult = (answer: ServiceAnswer): ServiceAnswer =>
	isEnvelope(answer.body) ? {...answer, body: {...answer.body, result: null}} : answer;
