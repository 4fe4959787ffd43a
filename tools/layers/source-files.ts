/**
 * Reads the source files under src: lines, imports, exports, long functions, and uses of time and randomness. A file belongs to a module,
 * which is its top folder. Tests are left out. Everything is read from the syntax tree, so imports in comments or strings do not count;
 * type imports do, and are marked.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, posix, sep } from 'node:path'
import ts from 'typescript'

export interface SourceFile {
  /** Relative to src, with forward slashes. */
  path: string
  module: string
  lines: number
  imports: Import[]
  /** Names that it exports and defines itself. */
  exports: string[]
  functions: { name: string; line: number; lines: number }[]
  /** Uses of the clock, randomness and timers. */
  impurities: { what: string; line: number }[]
}

export type Import =
  | { kind: 'file'; line: number; path: string; module: string; isType: boolean }
  | { kind: 'package'; line: number; name: string }
  | { kind: 'builtin'; line: number; name: string }
  /** A relative path that leads out of src. */
  | { kind: 'outside'; line: number; specifier: string }

const IMPURE = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
])

/** All source files under a folder, sorted by path. */
export function readSourceFiles(src: string): SourceFile[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .sort()
    .map((path) => parse(path, readFileSync(join(src, path), 'utf8')))
}

/** Contracts test the drivers of a port; fixtures are building blocks of tests. */
export function isForTests(path: string): boolean {
  return /\.(contract|fixture)\.ts$/.test(path)
}

/** The first folder inside its module; undefined for files at its top. */
export function folderOf(path: string): string | undefined {
  const [, folder, ...inside] = path.split('/')
  return inside.length > 0 ? folder : undefined
}

function parse(path: string, text: string): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const imports: Import[] = []
  const functions: SourceFile['functions'] = []
  const impurities: SourceFile['impurities'] = []
  const lineAt = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node)
    if (specifier) {
      const line = lineAt(specifier.getStart(tree))
      imports.push({ line, ...destination(path, specifier.text, isOfTypes(node)) })
    }
    if (ts.isFunctionDeclaration(node) && node.name && node.body) {
      const line = lineAt(node.getStart(tree))
      functions.push({ name: node.name.text, line, lines: lineAt(node.end) - line + 1 })
    }
    const called = ts.isCallExpression(node) ? node.expression.getText(tree) : ''
    const isDateOfNow = ts.isNewExpression(node) && node.getText(tree) === 'new Date()'
    if (IMPURE.has(called) || isDateOfNow) {
      impurities.push({ what: called || 'new Date()', line: lineAt(node.getStart(tree)) })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  const exports = tree.statements.flatMap((statement) => (isExported(statement) ? namesOf(statement) : []))
  const lines = text.replace(/\n$/, '').split('\n').length
  return { path, module: moduleOf(path), lines, imports, exports, functions, impurities }
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) && !!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  )
}

/** A type and a value of one name count once, and so do overloads. */
function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  const { name } = statement as ts.DeclarationStatement
  return name && ts.isIdentifier(name) ? [name.text] : []
}

/** `import … from 'x'`, `export … from 'x'`, `import('x')` as a value and as a type. */
function specifierOf(node: ts.Node): ts.StringLiteralLike | undefined {
  let named: ts.Node | undefined
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) named = node.moduleSpecifier
  else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) named = node.arguments[0]
  else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) named = node.argument.literal
  return named && ts.isStringLiteralLike(named) ? named : undefined
}

/** Removed when the program is compiled. */
function isOfTypes(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true
  if (ts.isExportDeclaration(node)) return node.isTypeOnly || areTypes(node.exportClause)
  const clause = ts.isImportDeclaration(node) ? node.importClause : undefined
  if (!clause) return false
  return clause.phaseModifier === ts.SyntaxKind.TypeKeyword || (!clause.name && areTypes(clause.namedBindings))
}

function areTypes(named: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (!named || !(ts.isNamedImports(named) || ts.isNamedExports(named))) return false
  return named.elements.length > 0 && named.elements.every(({ isTypeOnly }) => isTypeOnly)
}

type Destination = Import extends infer I ? (I extends Import ? Omit<I, 'line'> : never) : never

function destination(from: string, specifier: string, isType: boolean): Destination {
  if (isBuiltin(specifier)) return { kind: 'builtin', name: specifier }
  if (!specifier.startsWith('.')) return { kind: 'package', name: packageOf(specifier) }
  const path = posix.join(posix.dirname(from), specifier)
  if (path.startsWith('..')) return { kind: 'outside', specifier }
  return { kind: 'file', path, module: moduleOf(path), isType }
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** A file directly in src counts as a module of its own name; no layer has such a module, so it is reported. */
function moduleOf(path: string): string {
  return path.split('/')[0]!
}
