import type {JsonValue} from '../../text/json.ts';
import {
	isEnvelope,
	Refusal,
	refuseRequest,
	type ServiceAnswer,
	tooManyRequestsError,
} from '../http/answer.ts';
import {rulesetEditLimit} from '../http/edit-limit.ts';
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
		return context.world.runTransaction(() => {
			const answer = change(context, body);
			// The exception rolls the transaction back.
			if (isDryRun) throw new Refusal(omitResult(answer));
			return answer;
		});
	};

/** Refuses an edit while another one of the ruleset is running, or after too many. */
function refuseEditConflict(context: RequestContext): void {
	const {zone: zoneId = '', ruleset: rulesetId, phase: pathPhase} = context.parameters;
	const {rulesets} = getZoneRulesets(context);
	const editedRuleset =
		rulesetId === undefined ? rulesets.findByPhase(pathPhase ?? '') : rulesets.get(rulesetId);
	const phase = editedRuleset?.phase ?? pathPhase;
	if (phase === undefined) return;
	const conflict = context.quirks.checkEdit({zoneId, phase, ...(editedRuleset && {id: editedRuleset.id})});
	if (!conflict) return;
	const rulesetText = editedRuleset
		? `the ruleset ${editedRuleset.id}`
		: `the entry point of the phase ${phase}`;
	const reason =
		conflict.cause === 'busy'
			? `another edit of ${rulesetText} is under way`
			: `there were ${rulesetEditLimit.edits} edits of ${rulesetText} in ${rulesetEditLimit.seconds} seconds`;
	const headers = {'retry-after': String(conflict.retryAfterSeconds)};
	refuseRequest(
		429,
		{...tooManyRequestsError, message: `${tooManyRequestsError.message}: ${reason}`},
		headers,
	);
}

function readDryRun(query: URLSearchParams): boolean {
	const dryRun = query.get('dry_run');
	if (dryRun !== null && dryRun !== 'true' && dryRun !== 'false')
		refuseRequest(400, {message: 'dry_run must be true or false'});
	return dryRun === 'true';
}

const omitResult = (answer: ServiceAnswer): ServiceAnswer =>
	isEnvelope(answer.body) ? {...answer, body: {...answer.body, result: null}} : answer;
