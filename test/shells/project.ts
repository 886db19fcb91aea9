import {chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {cacheListing} from '../../source/state/listing-cache.ts';
import {program} from '../support/program.ts';

/** Titles that a shell could misread, each with a different first letter. */
export const titles = {
	plain: 'simple',
	blanks: 'my: title = "best"',
	substitution: 'pay $(touch HOSTILE) `touch HOSTILE`; touch HOSTILE & \\',
	quote: "it's $HOME/*?[a]{b,c}|#~<>",
	exclamation: 'wow!now !! !$',
	umlauts: 'öl 💧 naïve',
} as const;

/** Titles that must not be offered, because their control characters act on the terminal. */
export const unsafeTitles = [
	'k\u001b]0;owned\u0007',
	'k\rsimple',
	'k\nsimple',
	'k\u202esimple',
	'k\u009b31m',
];

export const namespaceIds = ['1f0c'.padEnd(32, '0'), '2e0d'.padEnd(32, '0')] as const;

const configuration = `name = "shop"

[[kv_namespaces]]
binding = "CONFIG"
id = "${namespaceIds[0]}"
preview_id = "${namespaceIds[1]}"

[env.staging]
[[env.staging.kv_namespaces]]
binding = "STAGING_CONFIG"
id = "${namespaceIds[1]}"
`;

const contexts = `[contexts.production]
account_id = "${'b'.repeat(32)}"

[contexts.work]
account_id = "${'c'.repeat(32)}"
`;

/** A folder with everything that completion finds on a machine, and a `ledge` that records what it is called with. */
export class Project {
	readonly folder = mkdtempSync(join(tmpdir(), 'ledge-shells-'));
	readonly env: Readonly<Record<string, string>>;
	readonly #calls = join(this.folder, 'calls');

	constructor() {
		const {folder} = this;
		const bin = join(folder, 'bin');
		const state = join(folder, 'state');
		mkdirSync(bin);
		mkdirSync(join(folder, 'config', 'ledge'), {recursive: true, mode: 0o700});
		mkdirSync(join(folder, 'stored values'));
		writeFileSync(join(folder, 'config', 'ledge', 'contexts.toml'), contexts, {mode: 0o600});
		writeFileSync(join(folder, 'wrangler.toml'), configuration);
		writeFileSync(join(folder, 'data set.json'), '[]');
		writeFileSync(
			join(bin, 'ledge'),
			`#!/bin/sh
if [ "$1" = __complete ]; then exec "${process.execPath}" "${program}" "$@"; fi
for word; do printf '%s\\0' "$word" >> "$CALLS.part"; done
mv "$CALLS.part" "$CALLS"
`,
		);
		chmodSync(join(bin, 'ledge'), 0o755);
		this.env = {
			PATH: `${bin}:${process.env.PATH}`,
			HOME: folder,
			XDG_CONFIG_HOME: join(folder, 'config'),
			LEDGE_STATE_DIR: state,
			LANG: 'C.UTF-8',
			CALLS: this.#calls,
			PS1: 'ready> ',
		};
		const now = Date.now();
		const namespaces = [...Object.values(titles), ...unsafeTitles].map((name, index) => ({
			id: index < 2 ? (namespaceIds[index] ?? '') : String(index).padStart(32, '9'),
			name,
		}));
		const listing = {
			kind: 'namespaces',
			place: 'simulated',
			account: 'a'.repeat(32),
			items: namespaces,
		} as const;
		cacheListing(this.env, listing, now);
		const zones = [{id: 'd'.repeat(32), name: 'acme.example', account: 'b'.repeat(32)}];
		cacheListing(this.env, {kind: 'zones', place: 'https://api.cloudflare.com', items: zones}, now);
	}

	isCalled(): boolean {
		return existsSync(this.#calls);
	}

	/** Returns the words that `ledge` was called with, and forgets the call. */
	takeCallWords(): readonly string[] {
		const words = readFileSync(this.#calls, 'utf8').split('\0').slice(0, -1);
		rmSync(this.#calls);
		return words;
	}

	/** True if a command in a title was run. */
	wasHarmed(): boolean {
		return existsSync(join(this.folder, 'HOSTILE'));
	}

	remove(): void {
		rmSync(this.folder, {recursive: true, force: true});
	}
}
