; The installer for Windows, which packaging/windows_installer.py makes of the packaged program. It gives VERSION,
; NUMBERS (the version as four numbers), KILOBYTES, PROGRAM (the folder), LICENCE, ICON,
; SIDE (the picture on the last page) and SETUP (the file to write).

!include "FileFunc.nsh"
!include "LogicLib.nsh"
!include "MUI2.nsh"
!include "StrFunc.nsh"
!include "WinVer.nsh"
!include "x64.nsh"

!getdllversion "${PROGRAM}\NegoPlatform.exe" BUILT_
!if "${BUILT_1}.${BUILT_2}.${BUILT_3}.${BUILT_4}" != "${NUMBERS}"
  !error "NegoPlatform.exe is ${BUILT_1}.${BUILT_2}.${BUILT_3}.${BUILT_4} and not ${NUMBERS}: build it again."
!endif

!define NAME "NegoPlatform"
!define PUBLISHER "The NegoPlatform authors"
!define KIND "NegoPlatform.Log"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\${NAME}"
!define APPLICATION "Software\Classes\Applications\NegoPlatform.exe"
!define SHORTCUT "$SMPROGRAMS\${NAME}.lnk"

; Exit codes of a silent run; NSIS itself ends with 1 or 2 where it was cancelled or failed.
!define IN_USE 3
!define NO_ADMINISTRATOR 4
!define WRONG_FOLDER 5
!define WRONG_WINDOWS 6
!define NO_FOLDER 7

${StrStr}

Name "${NAME}"
OutFile "${SETUP}"
; Its last part is added to a folder that is chosen by Browse.
!define USUAL_FOLDER "$LOCALAPPDATA\Programs\${NAME}"
InstallDir "${USUAL_FOLDER}"
BrandingText "${NAME} ${VERSION}"
RequestExecutionLevel user
ManifestDPIAware true
ManifestSupportedOS Win10
SetCompressor /SOLID lzma
SetCompressorDictSize 64
; Files have the time of the installation, so that the same program gives the same installer.
SetDateSave off
; Otherwise a silent run would leave out a file that cannot be written, and report success.
AllowSkipFiles off

VIProductVersion "${NUMBERS}"
VIFileVersion "${NUMBERS}"
VIAddVersionKey /LANG=1033 "ProductName" "${NAME}"
VIAddVersionKey /LANG=1033 "ProductVersion" "${VERSION}"
VIAddVersionKey /LANG=1033 "FileDescription" "Installer of ${NAME}"
VIAddVersionKey /LANG=1033 "FileVersion" "${VERSION}"
VIAddVersionKey /LANG=1033 "CompanyName" "${PUBLISHER}"
VIAddVersionKey /LANG=1033 "LegalCopyright" "MIT licence"

Var for_all
Var problem

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${SIDE}"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\NegoPlatform.exe"
!insertmacro MUI_PAGE_LICENSE "${LICENCE}"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
; It holds for the next page alone.
!define MUI_PAGE_CUSTOMFUNCTION_SHOW withhold_start_from_administrator
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
; The first is the language of a Windows in any other.
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "Hebrew"

LangString kind_of_file ${LANG_ENGLISH} "Negotiation session log"
LangString kind_of_file ${LANG_GERMAN} "Sitzungsprotokoll einer Verhandlung"
LangString kind_of_file ${LANG_HEBREW} "יומן של משא ומתן"
LangString in_use ${LANG_ENGLISH} "NegoPlatform in $INSTDIR is in use: close it and try again."
LangString in_use ${LANG_GERMAN} "NegoPlatform in $INSTDIR wird gerade benutzt: Schließen Sie es und versuchen Sie es noch einmal."
LangString in_use ${LANG_HEBREW} "התוכנה NegoPlatform בתיקייה $INSTDIR נמצאת בשימוש: יש לסגור אותה ולנסות שוב."
LangString wrong_folder ${LANG_ENGLISH} "$INSTDIR contains another program: choose a different folder."
LangString wrong_folder ${LANG_GERMAN} "$INSTDIR enthält ein anderes Programm: Wählen Sie einen anderen Ordner."
LangString wrong_folder ${LANG_HEBREW} "התיקייה $INSTDIR מכילה תוכנה אחרת: יש לבחור תיקייה אחרת."
LangString no_folder ${LANG_ENGLISH} "The folder $5 cannot be used: write it last, without quotes, with backslashes, on a drive that is there."
LangString no_folder ${LANG_GERMAN} "Der Ordner $5 ist nicht möglich: Geben Sie ihn zuletzt an, ohne Anführungszeichen, mit Backslashes, auf einem vorhandenen Laufwerk."
LangString no_folder ${LANG_HEBREW} "אי אפשר להשתמש בתיקייה $5: יש לכתוב אותה בסוף, ללא מירכאות, עם לוכסנים הפוכים, ובכונן קיים."
LangString no_administrator ${LANG_ENGLISH} "Only an administrator can do this for all users: run it as administrator."
LangString no_administrator ${LANG_GERMAN} "Für alle Benutzer kann das nur ein Administrator: Führen Sie es als Administrator aus."
LangString no_administrator ${LANG_HEBREW} "רק מנהל המערכת יכול לבצע זאת עבור כל המשתמשים: יש להפעיל כמנהל מערכת."
LangString wrong_windows ${LANG_ENGLISH} "NegoPlatform needs Windows 10 or newer, with 64 bits."
LangString wrong_windows ${LANG_GERMAN} "NegoPlatform braucht Windows 10 oder neuer, mit 64 Bit."
LangString wrong_windows ${LANG_HEBREW} "התוכנה NegoPlatform דורשת Windows 10 ומעלה, בגרסת 64 סיביות."

!macro functions un

; End with an exit code and the sentence in $problem, which a silent run writes to stderr.
Function ${un}refuse
  Pop $0
  SetErrorLevel $0
  ${If} ${Silent}
    System::Call "kernel32::GetStdHandle(i -12) p .r0"
    FileWrite $0 "$problem$\r$\n"
  ${Else}
    MessageBox MB_OK|MB_ICONSTOP "$problem"
  ${EndIf}
  Quit
FunctionEnd

; Refuse as long as a program in $INSTDIR runs: Windows lets nobody write to its file. Then move _internal out of
; the way, which fails as a whole if anything in it is open.
Function ${un}take_out
  StrCpy $problem "$(in_use)"
  ${For} $1 1 2
    StrCpy $2 "$INSTDIR\NegoPlatform.exe"
    ${If} $1 = 2
      StrCpy $2 "$INSTDIR\negoplatform-console.exe"
    ${EndIf}
    ${If} ${FileExists} "$2"
      ClearErrors
      FileOpen $0 "$2" a
      ${If} ${Errors}
        Push ${IN_USE}
        Call ${un}refuse
      ${EndIf}
      FileClose $0
    ${EndIf}
  ${Next}
  RMDir /r "$INSTDIR\_internal.old"
  ${If} ${FileExists} "$INSTDIR\_internal\*.*"
    ClearErrors
    Rename "$INSTDIR\_internal" "$INSTDIR\_internal.old"
    ${If} ${Errors}
      Push ${IN_USE}
      Call ${un}refuse
    ${EndIf}
    RMDir /r "$INSTDIR\_internal.old"
  ${EndIf}
FunctionEnd

; Use the folders and the registry of all users, which only an administrator may change; Windows asks for one.
Function ${un}use_those_of_all
  UserInfo::GetAccountType
  Pop $0
  ${If} $0 != "Admin"
    StrCpy $problem "$(no_administrator)"
    ${IfNot} ${Silent}
      ExecShell "runas" "$1" "$2"
      Quit
    ${EndIf}
    Push ${NO_ADMINISTRATOR}
    Call ${un}refuse
  ${EndIf}
  StrCpy $for_all 1
  SetShellVarContext all
FunctionEnd

!macroend
!insertmacro functions ""
!insertmacro functions "un."

; Refuse a folder behind /D= that is not the one that NSIS uses: it would take the usual one without a word.
Function refuse_unusable_folder
  System::Call "kernel32::GetCommandLine() t .r4"
  ${StrStr} $5 $4 "/D="
  ${If} $5 != ""
    StrCpy $5 $5 "" 3
    StrCpy $6 $5 1 -1
    ${If} $6 == "\"
      StrCpy $5 $5 -1
    ${EndIf}
    ${If} $5 != $INSTDIR
      StrCpy $problem "$(no_folder)"
      Push ${NO_FOLDER}
      Call refuse
    ${EndIf}
  ${EndIf}
FunctionEnd

Function .onInit
  SetRegView 64
  Call refuse_unusable_folder
  ${If} $INSTDIR == "${USUAL_FOLDER}" ; /D= has set no other
    StrCpy $INSTDIR ""
  ${EndIf}
  ${IfNot} ${RunningX64}
  ${OrIfNot} ${AtLeastWin10}
    StrCpy $problem "$(wrong_windows)"
    Push ${WRONG_WINDOWS}
    Call refuse
  ${EndIf}
  ${GetParameters} $3
  ClearErrors
  ${GetOptions} $3 "/ALLUSERS" $0
  ${IfNot} ${Errors}
    StrCpy $1 "$EXEPATH"
    StrCpy $2 "/ALLUSERS"
    Call use_those_of_all
  ${EndIf}
  ${If} $INSTDIR == ""
    ReadRegStr $INSTDIR SHCTX "${UNINSTALL}" "InstallLocation"
  ${EndIf}
  ${If} $INSTDIR == ""
    StrCpy $INSTDIR "${USUAL_FOLDER}"
    ${If} $for_all = 1
      StrCpy $INSTDIR "$PROGRAMFILES64\${NAME}"
    ${EndIf}
  ${EndIf}
FunctionEnd

Function withhold_start_from_administrator
  ${If} $for_all = 1
    SendMessage $mui.FinishPage.Run ${BM_SETCHECK} ${BST_UNCHECKED} 0
    ShowWindow $mui.FinishPage.Run ${SW_HIDE}
  ${EndIf}
FunctionEnd

Section
  ${If} ${FileExists} "$INSTDIR\_internal\*.*"
  ${AndIfNot} ${FileExists} "$INSTDIR\NegoPlatform.exe"
  ${AndIfNot} ${FileExists} "$INSTDIR\_internal\negoplatform\*.*" ; an installation that was interrupted
    StrCpy $problem "$(wrong_folder)"
    Push ${WRONG_FOLDER}
    Call refuse
  ${EndIf}
  Call take_out
  SetOutPath "$INSTDIR"
  File /r "${PROGRAM}\*"
  File "/oname=LICENSE.txt" "${LICENCE}"
  WriteUninstaller "$INSTDIR\Uninstall.exe"
  CreateShortcut "${SHORTCUT}" "$INSTDIR\NegoPlatform.exe"

  ; "Open with" for session logs; other programs keep what they open.
  WriteRegStr SHCTX "Software\Classes\.jsonl\OpenWithProgids" "${KIND}" ""
  WriteRegStr SHCTX "Software\Classes\${KIND}" "" "$(kind_of_file)"
  WriteRegStr SHCTX "Software\Classes\${KIND}\DefaultIcon" "" "$INSTDIR\NegoPlatform.exe,0"
  WriteRegStr SHCTX "Software\Classes\${KIND}\shell\open" "FriendlyAppName" "${NAME}"
  WriteRegStr SHCTX "Software\Classes\${KIND}\shell\open\command" "" '"$INSTDIR\NegoPlatform.exe" "%1"'
  WriteRegStr SHCTX "${APPLICATION}" "FriendlyAppName" "${NAME}"
  WriteRegStr SHCTX "${APPLICATION}\SupportedTypes" ".jsonl" ""
  WriteRegStr SHCTX "${APPLICATION}\shell\open\command" "" '"$INSTDIR\NegoPlatform.exe" "%1"'

  WriteRegStr SHCTX "${UNINSTALL}" "DisplayName" "${NAME}"
  WriteRegStr SHCTX "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr SHCTX "${UNINSTALL}" "DisplayIcon" "$INSTDIR\NegoPlatform.exe"
  WriteRegStr SHCTX "${UNINSTALL}" "Publisher" "${PUBLISHER}"
  WriteRegStr SHCTX "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr SHCTX "${UNINSTALL}" "UninstallString" '"$INSTDIR\Uninstall.exe"'
  WriteRegStr SHCTX "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\Uninstall.exe" /S'
  WriteRegDWORD SHCTX "${UNINSTALL}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD SHCTX "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD SHCTX "${UNINSTALL}" "NoRepair" 1
  ${RefreshShellIcons}
SectionEnd

Function un.onInit
  SetRegView 64
  ReadRegStr $0 HKLM "${UNINSTALL}" "InstallLocation"
  ${If} $0 == $INSTDIR
    StrCpy $1 "$INSTDIR\Uninstall.exe"
    StrCpy $2 ""
    Call un.use_those_of_all
  ${EndIf}
FunctionEnd

Section "Uninstall"
  Call un.take_out
  Delete "$INSTDIR\NegoPlatform.exe"
  Delete "$INSTDIR\negoplatform-console.exe"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\Uninstall.exe"
  ; Only if nothing else is in it: agents and games of a laboratory are next to the program.
  RMDir "$INSTDIR"
  ; What belongs to a copy that was installed into another folder later stays.
  ReadRegStr $0 SHCTX "${UNINSTALL}" "InstallLocation"
  ${If} $0 == $INSTDIR
    Delete "${SHORTCUT}"
    DeleteRegValue SHCTX "Software\Classes\.jsonl\OpenWithProgids" "${KIND}"
    DeleteRegKey /ifempty SHCTX "Software\Classes\.jsonl\OpenWithProgids"
    DeleteRegKey /ifempty SHCTX "Software\Classes\.jsonl"
    DeleteRegKey SHCTX "Software\Classes\${KIND}"
    DeleteRegKey SHCTX "${APPLICATION}"
    DeleteRegKey SHCTX "${UNINSTALL}"
    ${RefreshShellIcons}
  ${EndIf}
SectionEnd
