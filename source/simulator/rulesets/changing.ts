import type {JsonValue} from '../../text/json.ts';
import {type Answer, isEnvelope, Refusal, refuse} from '../http/answer.ts';
import {readJson} from '../http/json-request.ts';
import type {Ask, Route} from '../http/route.ts';

/**
 * A call that changes rulesets: all of it happens or nothing. With `dry_run=true` everything is checked, nothing
 * happens, and the result is null.
 */
export const changing =
	(change: (ask: Ask, body: JsonValue | undefined) => Answer): Route['answer'] =>
	async ask => {
		const dry = readDryRun(ask.query);
		const body = await readJson(ask);
		return ask.world.transaction(() => {
			const answer = change(ask, body);
			// Out of the transaction by an exception: so it leaves nothing behind.
			if (dry) throw new Refusal(withoutResult(answer));
			return answer;
		});
	};

function readDryRun(query: URLSearchParams): boolean {
	const given = query.get('dry_run');
	if (given !== null && given !== 'true') refuse(400, {message: 'dry_run must be true'});
	return given !== null;
}

const withoutResult = (answer: Answer): Answer =>
	isEnvelope(answer.body) ? {...answer, body: {...answer.body, result: null}} : answer;
