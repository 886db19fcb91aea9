import {isFailure, toFailure} from '../../failure.ts';
import type {CommandContext} from '../shell/context.ts';
import {defineCommand} from '../shell/declare.ts';
import {checkAreas, skipAllAreas} from './area-checks.ts';
import type {Check} from './check.ts';
import {describeLocalFailure} from './failed-call.ts';
import {checkMachine} from './machine-checks.ts';
import {createProber} from './probe.ts';
import {type CheckGroup, formatReport} from './report-text.ts';
import {checkCredential, checkReach} from './sign-in-checks.ts';

/** `ledge doctor`: checks everything that ledge needs, for a bug report. Only reads. */
export const doctorCommand = defineCommand({
	usage: 'doctor',
	summary: 'check credential, permissions, answers of the service and this machine',
	example: 'doctor --zone example.com',
	toleratesInvalidContexts: true,
	async run(context) {
		const machine = await checkMachine(context);
		const service = await checkService(context, machine);
		const groups = [{title: 'This machine', checks: machine}, ...service].map(group => ({
			...group,
			checks: group.checks.map(check => hideHome(check, context.env.HOME)),
		}));
		const checks = groups.flatMap(group => group.checks);
		const isOk = checks.every(({state}) => state !== 'failed');
		if (context.output.json)
			await context.output.writeJson(
				context.markSimulated({
					ok: isOk,
					version: LEDGE_VERSION,
					node: process.version,
					checks: checks.map(toCheckJson),
				}),
			);
		else await context.output.writeText(formatReport(groups));
		if (!isOk) context.setExitCode(1);
	},
});

async function checkService(
	context: CommandContext,
	machine: readonly Check[],
): Promise<readonly CheckGroup[]> {
	const group = (signIn: readonly Check[], areas: readonly Check[]): readonly CheckGroup[] => [
		{title: 'Sign-in', checks: signIn},
		{title: 'Service', checks: areas},
	];
	// Without its settings, ledge would call another service, or use another credential.
	const broken = machine.find(({name, state}) => state === 'failed' && requiredSettings.has(name));
	if (broken) return group([], skipAllAreas(`see ${broken.title}`));
	const {check: credential, kind} = await checkCredential(context);
	if (kind === undefined) return group([credential], skipAllAreas('see credential'));
	try {
		const client = await context.client();
		let clockDifference: number | undefined;
		const prober = createProber(client, context.signal, respondedAt => {
			clockDifference ??= client.clock.now() - respondedAt;
		});
		const {checks, accountId, zone} = await checkReach(context, prober, kind);
		const isReached = checks.some(({state, http}) => state !== 'failed' || http !== undefined);
		const areas = isReached
			? await checkAreas(prober, accountId, zone)
			: skipAllAreas('the service gives no answer');
		return group([credential, ...checks, checkClock(clockDifference)], areas);
	} catch (error) {
		if (context.signal.aborted || !isFailure(error)) throw error;
		const connection = {name: 'connection', title: 'connection', ...describeLocalFailure(toFailure(error))};
		return group([credential, connection], skipAllAreas('see connection'));
	}
}

const requiredSettings: ReadonlySet<string> = new Set(['configuration', 'context', 'baseUrl', 'proxy']);

/** Milliseconds by which the clocks may differ: the service's time has whole seconds, and answers take time. */
const maxClockDifferenceMs = 30_000;

function checkClock(difference: number | undefined): Check {
	const label = {name: 'clock', title: 'clock'};
	if (difference === undefined)
		return {...label, state: 'skipped', finding: 'not checked: no answer says the time'};
	const seconds = Math.round(Math.abs(difference) / 1000);
	if (Math.abs(difference) <= maxClockDifferenceMs)
		return {...label, state: 'ok', finding: `${seconds} s from the service's`};
	return {
		...label,
		state: 'note',
		finding: `${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} the service's`,
		next: 'Set the clock of this machine: expirations are computed with it.',
	};
}

/** Replaces the home folder, whose path names the user, by `~`. */
function hideHome(check: Check, home: string | undefined): Check {
	if (!home || home === '/') return check;
	const hide = (text: string) => text.replaceAll(home, '~');
	return {...check, finding: hide(check.finding), ...(check.next !== undefined && {next: hide(check.next)})};
}

const toCheckJson = (check: Check) => ({
	name: check.name,
	state: check.state,
	finding: check.finding,
	next: check.next ?? null,
	permission: check.permission ?? null,
	http: check.http ?? null,
	codes: check.codes ?? [],
	ray: check.ray ?? null,
	differences: check.differences ?? [],
	unknownFields: check.unknownFields ?? null,
});
