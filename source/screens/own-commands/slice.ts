import type {OwnCommand} from '../../settings/preferences/preferences.ts';
import type {Slice} from '../../store/slice.ts';
import type {Terminal} from '../shell/app.ts';
import type {ArgumentValues} from './subject.ts';

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly ownCommands: OwnCommandsSlice;
	}
}

/** What a command needs besides the state. */
export type CommandTools = Pick<Terminal, 'handOver'> & {
	/** Resolves when no dialog or filter handles the keys. */
	waitForInput(): Promise<void>;
};

type OwnCommandsSlice = {
	/** Titles of commands under way. */
	readonly running: readonly string[];
	/** Runs a command, after the question in production, and handles its output. Failures become messages. */
	start(command: OwnCommand, values: ArgumentValues, tools: CommandTools): Promise<void>;
	/** Stops all of them, with their process groups. */
	stop(): void;
};

export const createOwnCommandsSlice: Slice<OwnCommandsSlice> = (set, get, ports) => {
	const controllers = new Set<AbortController>();
	const {session} = ports;
	if (session.preferences && session.preferences.commands.length > 0)
		// After the first frame: what a killed ledge has left.
		setImmediate(async () =>
			(await import('../../state/command-files.ts')).removeAbandonedCommandFiles(session.env),
		).unref();
	return {
		running: [],
		async start(command, values, tools) {
			const {runOwnCommand} = await import('./run.ts');
			const {title, output, isReadOnly, isForeground} = command;
			const controller = new AbortController();
			controllers.add(controller);
			set(({running}) => ({running: [...running, title]}));
			const belongsToScreen = isReadOnly || isForeground || output === 'pager' || output === 'value';
			await get().work.run(title, belongsToScreen ? 'read' : 'write', signal =>
				runOwnCommand(command, values, {
					get,
					ports,
					tools,
					signal: AbortSignal.any([signal, controller.signal]),
				}),
			);
			controllers.delete(controller);
			set(({running}) => ({running: running.filter(one => one !== title)}));
		},
		stop() {
			for (const controller of controllers) controller.abort();
		},
	};
};
