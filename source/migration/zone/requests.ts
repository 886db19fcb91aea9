import {Failure, toFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import {readResult} from '../../service/read-result.ts';
import {buildAdvice, buildCommand} from '../../text/advice.ts';
import type {JsonObject} from '../../text/json.ts';
import {type ManagedConfiguration, parseConfigurationJson} from '../configuration/configuration.ts';

/**
 * Query parameter of every call that supports it. It selects the second phase, where all zones are
 * eligible.
 */
export const phaseTwoQuery = {phase_two: 1} as const;

/** Reads the `result` of a response with exact numbers, for responses that decisions depend on. */
export const readResultWithExactNumbers = (
	client: Client,
	path: string,
	query: Readonly<Record<string, number>>,
	signal: AbortSignal,
): Promise<unknown> =>
	readResult(client, {path, query, responseLimit: 'listing', exactNumbers: true}, signal);

/** Explains that a resource does not exist or was retired. Returns other failures unchanged. */
export function explainAbsence(error: unknown, resource: string): Failure {
	const failure = toFailure(error);
	const {http, ray, service} = failure.details;
	const details = {why: failure.message, http, ray, service};
	switch (failure.code) {
		case 'not_found':
			return new Failure('not_found', `The service has no ${resource} for this zone.`, {
				...details,
				next: buildAdvice`List your zones with \`${buildCommand('zones')}\`, and check the base URL with \`${buildCommand('config')}\`: that service may not offer the migration.`,
			});
		case 'gone':
			return new Failure('gone', `The service has retired the ${resource}.`, {
				...details,
				next: 'Zones are no longer migrated there: configure the new managed rules with the Rulesets API.',
			});
		default:
			return failure;
	}
}

/** Parses a configuration from a response. Throws `answer_malformed`, because the service sent it. */
export function parseConfigurationResponse(result: JsonObject, sourceName: string): ManagedConfiguration {
	try {
		return parseConfigurationJson(result, sourceName);
	} catch (error) {
		const failure = toFailure(error);
		throw new Failure('answer_malformed', failure.message, {
			why: failure.details.why,
			next: 'Nothing is sent to a service whose answers ledge cannot read. Check for a newer version of ledge.',
		});
	}
}
