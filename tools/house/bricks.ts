/**
 * Reads the house: every source file under src is a brick, with its lines and with what it imports. A brick belongs to
 * a room, which is the top folder it lies in. Tests are visitors and not part of the house. Imports are read from the
 * syntax tree, so that one in a comment or in a string is not mistaken for one; imports of types count, and are marked.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, posix, sep } from 'node:path'
import ts from 'typescript'

export interface Brick {
  /** Relative to src, with forward slashes. */
  path: string
  room: string
  lines: number
  imports: Import[]
  /** Names that it exports and defines itself. */
  defines: string[]
}

export type Import =
  | { kind: 'brick'; line: number; path: string; room: string; isType: boolean }
  | { kind: 'package'; line: number; name: string }
  /** A relative path that leads out of src. */
  | { kind: 'outside'; line: number; specifier: string }

/** All bricks under a folder, sorted by path. */
export function readBricks(src: string): Brick[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .sort()
    .map((path) => layBrick(path, readFileSync(join(src, path), 'utf8')))
}

/** Contracts are what a port's drivers are tested with, fixtures what tests are built from. */
export function isForTests(path: string): boolean {
  return /\.(contract|fixture)\.ts$/.test(path)
}

/** The first folder inside its room; undefined for what lies loose in it. */
export function folderOf(path: string): string | undefined {
  const [, folder, ...inside] = path.split('/')
  return inside.length > 0 ? folder : undefined
}

function layBrick(path: string, text: string): Brick {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const imports: Import[] = []
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node)
    if (specifier && !isBuiltin(specifier.text)) {
      const line = tree.getLineAndCharacterOfPosition(specifier.getStart(tree)).line + 1
      imports.push({ line, ...destination(path, specifier.text, isOfTypes(node)) })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  const defines = tree.statements.flatMap((statement) => (isExported(statement) ? namesOf(statement) : []))
  return { path, room: roomOf(path), lines: text.replace(/\n$/, '').split('\n').length, imports, defines }
}

function isExported(statement: ts.Statement): boolean {
  return (
    ts.canHaveModifiers(statement) && !!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  )
}

/** A type and a value of one name are one thing, and so are a function's overloads. */
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

/** Nothing is left of it when the program runs. */
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
  if (!specifier.startsWith('.')) return { kind: 'package', name: packageOf(specifier) }
  const path = posix.join(posix.dirname(from), specifier)
  if (path.startsWith('..')) return { kind: 'outside', specifier }
  return { kind: 'brick', path, room: roomOf(path), isType }
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** A file that lies loose in src stands for a room of its own name; no plan has such a room, so it is noticed. */
function roomOf(path: string): string {
  return path.split('/')[0]!
}
