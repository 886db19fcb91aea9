import {existsSync, readFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {Failure} from '../failure.ts';
import type {Variables} from '../settings/variables.ts';
import {findPlanted, getTrustBasis, type TrustBasis} from '../state/trust.ts';
import {isJsonObject, type JsonValue, parseJsonText} from '../text/json.ts';

/** An account that the user chose in wrangler for a login, and the file with that choice. */
type ChosenAccount = {readonly id: string; readonly name: string; readonly from: string};

/**
 * wrangler's cache folder: a trusted base folder, and the path below it, which someone else may have planted.
 */
type FilePlace = {readonly folder: string; readonly name: string};

/**
 * Finds the account chosen in wrangler for a profile's login in this project; wrangler asks once if a login
 * reaches several. Undefined if none was chosen or, like wrangler, if the file is malformed. Fails with
 * `account_unclear` if someone else may have planted the file.
 */
export function findChosenAccount(
	profile: string,
	cwd: string,
	variables: Variables,
	trustBasis: TrustBasis = getTrustBasis({SUDO_UID: variables('SUDO_UID')?.value}),
): ChosenAccount | undefined {
	const name = profile === 'default' ? 'wrangler-account.json' : `wrangler-account-${profile}.json`;
	const cacheFile = findCacheFolder(cwd, variables);
	const relativePath = join(cacheFile.name, name);
	const cachePath = join(cacheFile.folder, relativePath);
	const account = readAccount(cachePath);
	if (!account) return undefined;
	const plantedStep = findPlanted(cacheFile.folder, relativePath, trustBasis);
	if (!plantedStep) return {...account, from: cachePath};
	throw new Failure(
		'account_unclear',
		'The account chosen in wrangler may have been planted by someone else.',
		{
			why: `${cachePath} names the account ${account.id}.\n${plantedStep.why}`,
			next: 'Specify the account with --account-id or CLOUDFLARE_ACCOUNT_ID, or remove the file.',
		},
	);
}

function readAccount(file: string): Omit<ChosenAccount, 'from'> | undefined {
	try {
		const json: JsonValue = parseJsonText(readFileSync(file, 'utf8'));
		const account = isJsonObject(json) ? json.account : undefined;
		if (!isJsonObject(account) || typeof account.id !== 'string' || !/^[\w-]+$/.test(account.id))
			return undefined;
		return {id: account.id, name: typeof account.name === 'string' ? account.name : ''};
	} catch {
		return undefined;
	}
}

/**
 * Finds the folder where wrangler stores chosen accounts: in `node_modules` of the nearest project, else in
 * the working folder.
 */
function findCacheFolder(cwd: string, variables: Variables): FilePlace {
	const configuredFolder = variables('WRANGLER_CACHE_DIR')?.value;
	if (configuredFolder !== undefined) return {folder: resolve(cwd, configuredFolder), name: ''};
	const project = findProject(cwd);
	const beside = project === undefined ? undefined : {folder: project, name: besidePackages};
	const workingFolderCache = {folder: resolve(cwd), name: join('.wrangler', 'cache')};
	if (beside === undefined) return workingFolderCache;
	return !isPresent(beside) && isPresent(workingFolderCache) ? workingFolderCache : beside;
}

const besidePackages = join('node_modules', '.cache', 'wrangler');

const isPresent = ({folder, name}: FilePlace): boolean => existsSync(join(folder, name));

/** Finds the nearest folder with packages, from the working folder up. */
function findProject(cwd: string): string | undefined {
	for (let folder = resolve(cwd); ; folder = dirname(folder)) {
		if (existsSync(join(folder, 'node_modules'))) return folder;
		if (dirname(folder) === folder) return undefined;
	}
}
