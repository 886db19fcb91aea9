import {Failure, toFailure} from '../failure.ts';
import type {Call, ServiceVerdict} from '../service/call.ts';
import type {Client} from '../service/client.ts';
import {getOutcome} from '../service/outcome.ts';
import {buildAdvice, buildZoneCommand} from '../text/advice.ts';
import {readRulesetEntryPoint} from './calls.ts';
import {customPhase, managedPhase, type RulesetPhase, rateLimitPhase} from './ruleset.ts';

type CheckedRequest = Pick<Call, 'method' | 'path'> & {readonly body?: unknown};

/**
 * Asks the service whether it would accept a change of an entry point, without making it. An older deployment
 * would make it, so this compares the ruleset's version before and after. Never retries, never rejects.
 */
export async function askServiceAboutChange(
	client: Client,
	zoneId: string,
	phase: RulesetPhase,
	request: CheckedRequest,
	signal: AbortSignal,
): Promise<ServiceVerdict> {
	const readVersion = async () => (await readRulesetEntryPoint(client, zoneId, phase, signal))?.version;
	let versionBefore: string | undefined;
	try {
		versionBefore = await readVersion();
	} catch (error) {
		return {state: 'not checked', failure: toFailure(error)};
	}
	const verdict = await sendQuestion(client, request, signal);
	try {
		const versionAfter = await readVersion();
		return versionAfter === versionBefore
			? verdict
			: {state: 'changed', failure: buildChangedFailure(phase, versionBefore, versionAfter)};
	} catch (error) {
		return {
			state: 'not checked',
			failure: toFailure(error).withDetails({
				left: 'It is not known whether the rules are still the same.',
				next: buildAdvice`To see the rules: \`${buildListCommand(phase)}\``,
			}),
		};
	}
}

async function sendQuestion(
	client: Client,
	{method, path, body}: CheckedRequest,
	signal: AbortSignal,
): Promise<ServiceVerdict> {
	try {
		await client.call(
			{
				method,
				path,
				...(body !== undefined && {body: {kind: 'json', value: body}}),
				repeat: 'never',
				writes: true,
				isQuestion: true,
				responseLimit: 'listing',
			},
			signal,
		);
		return {state: 'valid'};
	} catch (error) {
		const failure = toFailure(error);
		const isRefusal = refusals.has(getOutcome(failure));
		return {state: isRefusal ? 'refused' : 'not checked', failure};
	}
}

/** The outcomes that say something about the change, and not about the credential or the connection. */
const refusals: ReadonlySet<ReturnType<typeof getOutcome>> = new Set([
	'refused',
	'refused without a reason',
	'absent',
	'retired',
]);

function buildChangedFailure(
	phase: RulesetPhase,
	versionBefore: string | undefined,
	versionAfter: string | undefined,
): Failure {
	return new Failure('changed_by_check', 'The rules changed while the service checked the change.', {
		why: `Version ${versionBefore ?? 'none'} became ${versionAfter ?? 'none'}. Either someone else changed the rules, or this service knows no check and made the change.`,
		next:
			versionBefore === undefined
				? buildAdvice`To see the rules: \`${buildListCommand(phase)}\``
				: buildAdvice`To see the rules: \`${buildListCommand(phase)}\`. To restore version ${versionBefore}: \`${buildZoneCommand(getGroup(phase), 'restore', versionBefore, ...(phase === rateLimitPhase ? ['--rate-limits'] : []))}\``,
	});
}

const getGroup = (phase: RulesetPhase): string => (phase === managedPhase ? 'managed' : 'rules');

const buildListCommand = (phase: RulesetPhase) =>
	phase === managedPhase
		? buildZoneCommand('managed', 'show')
		: buildZoneCommand('rules', 'list', ...(phase === customPhase ? [] : ['--rate-limits']));
