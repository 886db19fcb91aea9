import {once} from 'node:events';
import type {LoggedCall} from '../../source/simulator/simulator.ts';
import {atFileEnd} from './file-end.ts';
import {startLedge} from './ledge.ts';

export type RunningService = {
	readonly url: string;
	/** The variables with which ledge uses it: the address and a credential. */
	readonly env: Readonly<Record<string, string>>;
	/** Makes these faults and no others from now on (source/simulator/faults/faults.ts has the grammar). */
	setFaults(faults: string): Promise<void>;
	/** The calls that it received, with the bodies of calls to zones. */
	calls(): Promise<readonly LoggedCall[]>;
	/** Ends when the service is gone. */
	stop(): Promise<void>;
};

/** Starts `ledge simulate` on a free port with a world of its own, and waits until it says where it listens. */
export async function startService(...words: string[]): Promise<RunningService> {
	const child = startLedge(['simulate', '--port', '0', '--memory', ...words]);
	atFileEnd(() => child.kill('SIGKILL'));
	const url = await new Promise<string>((found, fail) => {
		let output = '';
		child.stdout?.on('data', piece => {
			output += piece;
			const line = /^(http\S+)\n/.exec(output)?.[1];
			if (line) found(line);
		});
		let errorOutput = '';
		child.stderr?.on('data', piece => {
			errorOutput += piece;
		});
		child.on('exit', code => fail(new Error(`ledge simulate ended with ${code}: ${errorOutput}`)));
	});
	const control = async (method: string, path: string, body?: string) => {
		const answer = await fetch(new URL(path, url), {
			method,
			headers: {'X-Simulator': 'control'},
			...(body !== undefined && {body}),
		});
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
		return answer;
	};
	return {
		url,
		env: {CLOUDFLARE_API_BASE_URL: url, CLOUDFLARE_API_TOKEN: 'simulated'},
		setFaults: async faults => void (await control('PUT', '/simulator/faults', faults)),
		calls: async () => (await (await control('GET', '/simulator/calls')).json()) as LoggedCall[],
		async stop() {
			const ended = once(child, 'exit');
			child.kill('SIGTERM');
			await ended;
		},
	};
}
