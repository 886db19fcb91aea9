import {beforeAll} from 'vitest';
import {createScratchFolder, type EndedRun, ledge} from './run.ts';
import {serveSimulator} from './serve-simulator.ts';
import type {RunningService} from './service.ts';

export type Target = {
	/** Runs `ledge kv …` on a namespace of this target, with whatever options the target needs behind the words. */
	kv(
		words: readonly string[],
		more?: {input?: string | Uint8Array; env?: Record<string, string>},
	): Promise<EndedRun>;
	/** Creates another namespace of the same kind, ready to be used. */
	createNamespace(): Promise<Target>;
	readonly namespace: string;
};

/** Local data and the service, so that a test can say once what must hold on both. */
export function setUpTargets(): Record<'local' | 'remote', () => Target> {
	let service: RunningService | undefined;
	let folder = '';
	beforeAll(async () => {
		service = await serveSimulator();
		folder = createScratchFolder();
	});

	const withDashes = (words: readonly string[], options: readonly string[]): string[] => {
		const end = words.indexOf('--');
		return end === -1 ? [...words, ...options] : [...words.slice(0, end), ...options, ...words.slice(end)];
	};

	const local = (namespace: string): Target => ({
		namespace,
		kv: (words, more) =>
			ledge(
				['kv', ...withDashes(words, ['--local', '--persist-to', folder, '--namespace-id', namespace])],
				more,
			),
		createNamespace: async () => local(`namespace-${Math.random().toString(36).slice(2)}`),
	});

	const remote = (namespace: string): Target => ({
		namespace,
		kv: (words, more) =>
			ledge(['kv', ...withDashes(words, ['--namespace-id', namespace])], {
				...more,
				env: {...service?.env, ...more?.env},
			}),
		async createNamespace() {
			const title = `made-${Math.random().toString(36).slice(2)}`;
			const {stdout} = await ledge(['kv', 'namespace', 'create', title, '--no-prefix', '--json'], {
				env: {...service?.env},
			});
			const [created] = JSON.parse(stdout) as {id: string}[];
			return remote(created?.id ?? '');
		},
	});

	return {local: () => local('namespace'), remote: () => remote('0'.repeat(32))};
}
