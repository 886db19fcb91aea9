import {existsSync, readFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {Failure} from '../failure.ts';
import type {Variables} from '../settings/variables.ts';
import {findPlantedStep, getTrustBasis, type TrustBasis} from '../state/trust.ts';
import {isJsonObject, type JsonValue, parseJsonText} from '../text/json.ts';

/** An account that the user chose in wrangler for a login, and the file with that choice. */
type ChosenAccount = {readonly id: string; readonly name: string; readonly from: string};

/**
 * wrangler's cache folder: a trusted base folder, and the path below it, which someone else may have planted.
 */
type CacheFolder = {readonly baseFolder: string; readonly relativePath: string};

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
	const fileName = profile === 'default' ? 'wrangler-account.json' : `wrangler-account-${profile}.json`;
	const cacheFolder = findCacheFolder(cwd, variables);
	const accountPath = join(cacheFolder.relativePath, fileName);
	const accountFile = join(cacheFolder.baseFolder, accountPath);
	const account = readAccount(accountFile);
	if (!account) return undefined;
	const plantedStep = findPlantedStep(cacheFolder.baseFolder, accountPath, trustBasis);
	if (!plantedStep) return {...account, from: accountFile};
	throw new Failure(
		'account_unclear',
		'The account chosen in wrangler may have been planted by someone else.',
		{
			why: `${accountFile} names the account ${account.id}.\n${plantedStep.why}`,
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
function findCacheFolder(cwd: string, variables: Variables): CacheFolder {
	const configuredFolder = variables('WRANGLER_CACHE_DIR')?.value;
	if (configuredFolder !== undefined) return {baseFolder: resolve(cwd, configuredFolder), relativePath: ''};
	const project = findProject(cwd);
	const packagesCache =
		project === undefined ? undefined : {baseFolder: project, relativePath: packagesCachePath};
	const workingFolderCache = {baseFolder: resolve(cwd), relativePath: join('.wrangler', 'cache')};
	if (packagesCache === undefined) return workingFolderCache;
	return !isPresent(packagesCache) && isPresent(workingFolderCache) ? workingFolderCache : packagesCache;
}

const packagesCachePath = join('node_modules', '.cache', 'wrangler');

const isPresent = ({baseFolder, relativePath}: CacheFolder): boolean =>
	existsSync(join(baseFolder, relativePath));

/** Finds the nearest folder with packages, from the working folder up. */
function findProject(cwd: string): string | undefined {
	for (let folder = resolve(cwd); ; folder = dirname(folder)) {
		if (existsSync(join(folder, 'node_modules'))) return folder;
		if (dirname(folder) === folder) return undefined;
	}
}
