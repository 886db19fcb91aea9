/**
 * The folders of `source`, lowest first. A folder may import the folders before it in this list, and only
 * types of the others. `''` is `failure.ts` and `host.ts`, which everything may use; `entry` stands for the
 * files that programs begin with.
 */
export const layers: readonly string[] = [
	'',
	'text',
	'text/json',
	'text/buffer',
	'text/plot',
	'firewall/expression/vocabulary',
	'firewall/expression/regex',
	'firewall/expression/checks',
	'firewall/expression/grammar',
	'firewall/expression/meaning',
	'firewall/expression/completion',
	'firewall/expression',
	'terminal',
	'state',
	'settings',
	'settings/contexts',
	'credentials',
	'keyboard',
	'components',
	'service',
	'analytics',
	'rulesets',
	'kv',
	'kv/local',
	'kv/key-index',
	'kv/change',
	'kv/job',
	'kv/bulk',
	'kv/transfer',
	'kv/trash',
	'kv/stats',
	'firewall',
	'firewall/rules',
	'firewall/export',
	'migration/configuration',
	'migration/machine',
	'migration/zone',
	'migration/plan',
	'migration/journal',
	'migration/validation',
	'migration/overview',
	'migration/flow',
	'migration/report',
	'managed',
	'events',
	'session',
	'completion',
	'simulator/http',
	'simulator/faults',
	'simulator/accounts',
	'simulator/kv',
	'simulator/firewall',
	'simulator/waf',
	'simulator/migration',
	'simulator/rulesets',
	'simulator/world',
	'simulator/analytics',
	'simulator',
	'manual',
	'commands/shell',
	'commands/kv',
	'commands/rulesets',
	'commands/firewall',
	'commands/rules',
	'commands/migration',
	'commands/managed',
	'commands',
	'screens/rows',
	'screens/messages',
	'screens/shell',
	'screens/write-flow',
	'screens/list',
	'screens/drafts',
	'screens/expression-editor',
	'screens/key',
	'screens/keys',
	'screens/edit',
	'screens/review',
	'screens/namespaces',
	'screens/metrics',
	'screens/jobs',
	'screens/bulk',
	'screens/transfer',
	'screens/rename',
	'screens/trash',
	'screens/compare',
	'screens/search',
	'screens/stats',
	'screens/zones',
	'screens/managed-edit',
	'screens/migration',
	'screens/migration/view',
	'screens/migration/actions',
	'screens/firewall',
	'screens/validation',
	'screens/stepped-form',
	'screens/wizard',
	'screens/emergency',
	'screens/catalogue',
	'screens/versions',
	'screens/rate-limits',
	'screens/rulesets',
	'screens/custom-rules',
	'screens/merge',
	'screens/custom-rule',
	'screens/managed',
	'screens/left-behind',
	'screens/firewall/lists',
	'screens/events',
	'screens/contexts',
	'screens/places',
	'screens/activity',
	'screens/home',
	'store',
	'screens',
	'build',
	'release',
	'entry',
];

/**
 * Finds the position of a folder in `layers`, or -1. A folder of `source/screens` that only the lists of
 * screens import needs no entry: it comes after the listed ones.
 */
export function findLayer(folder: string): number {
	const index = layers.indexOf(folder);
	return index === -1 && /^screens\/[\w-]+$/.test(folder) ? layers.indexOf('store') - 0.5 : index;
}

/** The only folders that may import Ink, React or zustand. */
export const drawingFolders: readonly string[] = ['components', 'screens', 'store', 'keyboard'];

/** Files outside the simulator that may import it: the commands that start one. */
export const simulatorUsers: readonly string[] = [
	'source/commands/shell/simulate.ts',
	'source/commands/shell/simulated-service.ts',
];

/** Files of screens that are no views (`.tsx`) and may import React: hooks that the views share. */
export const sharedHooks: readonly string[] = ['source/screens/shell/use-ledge.ts'];

/** Files that a program or the build begins with; other files of `source` need not use their exports. */
export const entryFiles: readonly string[] = [
	'source/cli.ts',
	'source/complete.ts',
	'source/screens.tsx',
	'source/firewall/expression/expressions.ts',
];
