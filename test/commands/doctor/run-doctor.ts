import {ledge, type RunOptions} from '../../support/run.ts';

/** A check as `--json` prints it. */
export type PrintedCheck = {
	readonly name: string;
	readonly state: string;
	readonly finding: string;
	readonly next: string | null;
	readonly permission: string | null;
	readonly http: number | null;
	readonly codes: readonly number[];
	readonly ray: string | null;
	readonly differences: readonly {
		readonly path: string;
		readonly expected: string;
		readonly received: string;
		readonly isRequired: boolean;
	}[];
	readonly unknownFields: number | null;
};

/** Runs `ledge doctor --json`, and returns its exit code and its checks by name. */
export async function runDoctor(options: RunOptions, ...words: readonly string[]) {
	const {code, stdout, stderr} = await ledge(['doctor', ...words, '--json'], options);
	const report = JSON.parse(stdout) as {ok: boolean; checks: readonly PrintedCheck[]};
	const byName = Object.fromEntries(report.checks.map(check => [check.name, check]));
	const getCheck = (name: string): PrintedCheck => {
		const check = byName[name];
		if (!check) throw new Error(`no check ${name} in ${stdout}`);
		return check;
	};
	return {code, stdout, stderr, report, getCheck};
}

/** Names of checks in a state. */
export const listInState = (checks: readonly PrintedCheck[], state: string): readonly string[] =>
	checks.filter(check => check.state === state).map(({name}) => name);
