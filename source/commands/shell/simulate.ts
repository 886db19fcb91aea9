import {
	formatFaultHelp,
	maxGeneratedKeys,
	parseFaults,
	type Simulator,
	startListener,
} from '../../simulator/simulator.ts';
import type {CommandContext} from './context.ts';
import {
	createListOption,
	createNumberOption,
	createParsedOption,
	createSwitchOption,
	defineCommand,
	type OptionValues,
	parseWholeNumberOption,
} from './declare.ts';
import {openSimulator} from './simulated-service.ts';

const buildSimulateOptions = () => [
	createNumberOption('--port <n>', 'port to listen on (default: 8799); 0 picks a free one', 0),
	createListOption('--token <token>', 'another token to accept besides "simulated"'),
	createListOption('--fault <fault>', 'a fault to simulate; syntax below'),
	createNumberOption(
		'--migration-seconds <n>',
		'how long a zone migration takes, in seconds (default: 3)',
		0,
	),
	createNumberOption('--accounts <n>', 'number of accounts the token can access (default: 1)', 1),
	createParsedOption(
		'--generated-keys <n>',
		'add the namespace "generated" with this many keys, none of them stored',
		{
			parse: parseGeneratedKeys,
			expectedFormat: 'a whole number from 1 to 100,000,000',
		},
	),
	createListOption(
		'--retired-firewall <zone>',
		'zone, by name or id, where filters and firewall rules return 410',
	),
	createListOption(
		'--read-only-firewall <zone>',
		'zone, by name or id, where changes of filters and firewall rules are refused with code 10020',
	),
	createSwitchOption('--memory', 'keep the world in memory only'),
	createSwitchOption('--reset', 'reset the world, then exit'),
];

type SimulateOptions = OptionValues<typeof buildSimulateOptions>;

/** `ledge simulate`: the simulated service on a loopback port, for other programs and for tests. */
export const simulateCommand = defineCommand({
	usage: 'simulate',
	summary: 'run the simulated service on loopback',
	formatDetails: formatFaultHelp,
	example: 'simulate --port 8799 --fault "status=429 retry-after=2 times=1"',
	isOffline: true,
	// Invalid on purpose: the test that runs every command cannot wait for a server.
	sampleArguments: '--port none',
	options: buildSimulateOptions,
	run: runSimulator,
});

function parseGeneratedKeys(text: string): number | undefined {
	const keyCount = parseWholeNumberOption(text);
	return keyCount !== undefined && keyCount >= 1 && keyCount <= maxGeneratedKeys ? keyCount : undefined;
}

async function runSimulator(context: CommandContext, options: SimulateOptions): Promise<void> {
	const simulatorHost = {
		env: context.env,
		cwd: context.cwd,
		clock: context.host.clock,
		file: options.memory ? ':memory:' : context.options.state,
		// With --reset, an unusable state directory must be a failure: a new world in memory would reset nothing.
		...(!options.reset && {warn: context.output.warn}),
	};
	const faults = parseFaults(
		[context.env.LEDGE_SIMULATE_FAULTS ?? '', ...(options.fault ?? [])].filter(Boolean).join(';'),
	);
	const simulator = openSimulator(simulatorHost, {
		faults,
		...(options.migrationSeconds !== undefined && {migrationSeconds: options.migrationSeconds}),
		...(options.accounts !== undefined && {accounts: options.accounts}),
		generatedKeys: options.generatedKeys,
		tokens: ['simulated', ...(options.token ?? [])],
		replaceUnusable: options.reset === true,
	});
	const firewalls = {retired: options.retiredFirewall, 'read-only': options.readOnlyFirewall};
	try {
		if (options.reset) {
			simulator.reset(firewalls);
			context.output.say('The simulated world was reset.');
			return;
		}
		simulator.setFirewallStates(firewalls);
		await serveSimulator(context, simulator, options.port ?? 8799);
	} finally {
		simulator.close();
	}
}

/** Serves until stopped, or until the parent process is gone. */
async function serveSimulator(context: CommandContext, simulator: Simulator, port: number): Promise<void> {
	const stopController = new AbortController();
	const stopSignal = AbortSignal.any([context.signal, stopController.signal]);
	const server = await startListener(simulator, {port, signal: stopSignal});
	const parentProcessId = context.host.getParentId();
	const parentTimer = setInterval(() => {
		if (context.host.getParentId() !== parentProcessId) stopController.abort();
	}, 500);
	try {
		await context.output.writeText(`${server.url}\n`);
		const {sayIfInteractive} = context.output;
		sayIfInteractive('The simulated service is running. To use it from another terminal:');
		sayIfInteractive(`  export CLOUDFLARE_API_BASE_URL=${server.url} CLOUDFLARE_API_TOKEN=simulated`);
		sayIfInteractive('Press ctrl-c to stop it.');
		await new Promise<void>(resolve => stopSignal.addEventListener('abort', () => resolve(), {once: true}));
	} finally {
		clearInterval(parentTimer);
		await server.close();
	}
}
