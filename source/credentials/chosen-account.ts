import {existsSync, readFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import type {Variables} from '../settings/variables.ts';
import {isJsonObject, type JsonValue} from '../text/json.ts';

/** An account that was chosen in wrangler for a login, and the file that says so. */
type ChosenAccount = {readonly id: string; readonly name: string; readonly from: string};

/**
 * The account that a person chose in wrangler for the login of a profile, in this project: wrangler asks once where a login
 * reaches several. Nothing where none was chosen, or the file cannot be understood, as with wrangler.
 */
export function chosenAccount(profile: string, cwd: string, variables: Variables): ChosenAccount | undefined {
	const name = profile === 'default' ? 'wrangler-account.json' : `wrangler-account-${profile}.json`;
	const from = join(cacheFolder(cwd, variables), name);
	try {
		const found: JsonValue = JSON.parse(readFileSync(from, 'utf8'));
		const account = isJsonObject(found) ? found.account : undefined;
		if (!isJsonObject(account) || typeof account.id !== 'string' || !/^[\w-]+$/.test(account.id))
			return undefined;
		return {id: account.id, name: typeof account.name === 'string' ? account.name : '', from};
	} catch {
		return undefined;
	}
}

/** Where wrangler keeps such choices: beside the packages of the nearest project, else in the working folder. */
function cacheFolder(cwd: string, variables: Variables): string {
	const given = variables('WRANGLER_CACHE_DIR')?.value;
	if (given !== undefined) return resolve(cwd, given);
	const packages = nearestPackages(cwd);
	const beside = packages && join(packages, '.cache', 'wrangler');
	const here = join(cwd, '.wrangler', 'cache');
	if (beside === undefined) return here;
	return !existsSync(beside) && existsSync(here) ? here : beside;
}

function nearestPackages(cwd: string): string | undefined {
	for (let folder = resolve(cwd); ; folder = dirname(folder)) {
		const packages = join(folder, 'node_modules');
		if (existsSync(packages)) return packages;
		if (dirname(folder) === folder) return undefined;
	}
}
