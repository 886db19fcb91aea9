// A program as small as can be that has the whole screen, for full-screen.test.ts: it shows the keys it was
// given; some of them crash, end or suspend it.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {appendFileSync} from 'node:fs';
import {join} from 'node:path';
import {Box, render, Text, useApp} from 'ink';
import {useEffect, useSyncExternalStore} from 'react';
import {createInkStdin} from '../../../source/keyboard/ink-stdin.ts';
import type {Key} from '../../../source/keyboard/key.ts';
import {listenToKeys} from '../../../source/keyboard/keyboard.ts';
import {openFullScreen, type ScreenRenderer} from '../../../source/terminal/full-screen.ts';

const [folder = '.', startMode] = process.argv.slice(2);
const record = (line: string) => appendFileSync(join(folder, 'record'), `${line}\n`);

if (startMode === 'wait') {
	const signalReceived = once(process, 'SIGUSR1');
	// Waiting for a signal does not keep a process alive.
	const keepAliveTimer = setInterval(() => {}, 1000);
	process.stdout.write(`waiting ${process.pid}\n`);
	await signalReceived;
	clearInterval(keepAliveTimer);
}

let keys: readonly string[] = [];
let isBroken = false;
const redraws = new Set<() => void>();

const drawn = Promise.withResolvers<void>();
const keyboard = listenToKeys(process.stdin, act, drawn.promise);
const screen = openFullScreen({stdin: process.stdin, stdout: process.stdout, keyboard, mouse: true});
screen.onEnd(end => record(`ended ${end.kind}${end.kind === 'signal' ? ` ${end.signal}` : ''}`));
screen.onReturn(() => record('returned'));

function act({name}: Key): void {
	record(`key ${name}`);
	keys = [...keys, name];
	for (const redraw of redraws) redraw();
	const actionsByKey: Record<string, () => unknown> = {
		q: () => instance.unmount(),
		e: () => process.exit(7),
		x: () => {
			throw new Error('hostile \u001b[2J error');
		},
		r: () => Promise.reject(new Error('rejected')),
		b: () => {
			isBroken = true;
			for (const redraw of redraws) redraw();
		},
		f: () =>
			screen.onEnd(() => {
				throw new Error('ending failed');
			}),
		'ctrl-z': () => screen.suspend(),
		E: () => screen.handOver(edit),
	};
	actionsByKey[name]?.();
}

async function edit(): Promise<void> {
	const words = [
		'-c',
		`stty -icanon -echo -isig min 1; printf 'editor is ready'; head -c 50 > "$0/edited"; stty sane`,
		folder,
	];
	await once(spawn('sh', words, {stdio: 'inherit'}), 'exit');
}

let suspendTerminal: ScreenRenderer['suspendTerminal'];

function Program() {
	({suspendTerminal} = useApp());
	const shownKeys = useSyncExternalStore(
		redraw => {
			redraws.add(redraw);
			return () => redraws.delete(redraw);
		},
		() => (isBroken ? undefined : keys),
	);
	useEffect(() => record('mounted'), []);
	if (shownKeys === undefined) throw new Error('broken component');
	return (
		<Box flexDirection="column">
			<Text>process {process.pid} is drawn</Text>
			<Text>keys: {shownKeys.join(' ')}.</Text>
		</Box>
	);
}

const instance = render(<Program />, {
	stdin: createInkStdin().stream,
	stdout: process.stdout,
	alternateScreen: true,
	incrementalRendering: true,
	exitOnCtrlC: false,
	interactive: true,
});
screen.attach({unmount: instance.unmount, suspendTerminal: () => suspendTerminal()});
drawn.resolve();
await instance.waitUntilExit();
screen.close();
process.stdout.write('closed in order\n');
