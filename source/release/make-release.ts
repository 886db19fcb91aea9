// `npm run release`: builds build/release: archives of the one-file program with instructions and licences,
// and their checksums. Archives of the same program are reproducible. The program itself is reproducible with
// the same Node, `strip` and packages.
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {constants, gzipSync} from 'node:zlib';
import {binaryFile, platformName} from './binary-file.ts';
import {createTar} from './tar.ts';

/** Modification time of archived files, in seconds: 1980, since some programs warn about earlier times. */
const timestamp = 315_532_800;

const {version} = JSON.parse(readFileSync('package.json', 'utf8')) as {version: string};
const name = `ledge-${version}-${platformName}`;
const folder = join('build', 'release');
rmSync(folder, {recursive: true, force: true});
mkdirSync(folder, {recursive: true});

const instructions = formatInstructions();
const archive = join(folder, `${name}.tar`);
writeFileSync(
	archive,
	createTar(
		[
			{path: `${name}/ledge`, content: readFileSync(binaryFile), isProgram: true},
			{path: `${name}/INSTALL`, content: Buffer.from(instructions)},
			{path: `${name}/LICENSES`, content: execFileSync(binaryFile, ['licenses'])},
		],
		timestamp,
	),
);
writeFileSync(`${archive}.gz`, gzipSync(readFileSync(archive), {level: constants.Z_BEST_COMPRESSION}));
const archives = [`${archive}.gz`, ...(compressWithXz() ? [`${archive}.xz`] : [])];
rmSync(archive);
writeFileSync(join(folder, 'INSTALL'), instructions);
writeFileSync(
	join(folder, 'SHA256SUMS'),
	archives.map(file => `${computeChecksum(file)}  ${basename(file)}\n`).join(''),
);
for (const file of archives)
	process.stdout.write(`${file}: ${(readFileSync(file).length / 1e6).toFixed(1)} MB\n`);

/**
 * Compresses the archive a third smaller than gzip, in about a minute. Returns false if `xz` is not
 * installed. The number of threads is fixed so that the result is reproducible.
 */
function compressWithXz(): boolean {
	try {
		execFileSync('xz', ['--keep', '--threads=2', '-6', archive], {stdio: ['ignore', 'ignore', 'pipe']});
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
		process.stdout.write('Without xz, which is not installed, there is no .tar.xz.\n');
		return false;
	}
}

function computeChecksum(file: string): string {
	return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function formatInstructions(): string {
	const requirements =
		process.platform === 'linux'
			? 'It needs Linux with glibc 2.28 or newer and libstdc++ (not Alpine), and no Node.'
			: 'It needs macOS, and no Node.';
	return `ledge ${version} as one file, for ${platformName}. ${requirements}

Check and unpack:

    sha256sum --check --ignore-missing SHA256SUMS
    tar -xf ${name}.tar.gz

Install, for everybody or for yourself (~/.local/bin):

    install -m 755 ${name}/ledge /usr/local/bin/ledge
    ledge --version

Completion (bash; zsh and fish: ledge completion --help):

    ledge completion bash > ~/.local/share/bash-completion/completions/ledge

Read the manual, or install its pages (kv, firewall and migration have their own):

    ledge man
    ledge man --roff > /usr/local/share/man/man1/ledge.1
    ledge man kv --roff > /usr/local/share/man/man1/ledge-kv.1

ledge unpacks nothing. In $XDG_CACHE_HOME/ledge or ~/.cache/ledge it keeps compiled code, to start faster; without
that folder it works as well. NODE_OPTIONS is ignored; NODE_EXTRA_CA_CERTS and the variables of proxies are used.

To remove ledge, delete the file, the folder of the cache, and the state in ~/.local/state/ledge.

Licences of all that is inside: LICENSES, or ledge licenses.
`;
}
